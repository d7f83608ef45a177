/** Recorded runs as files: histories as JSON with decrypted payloads. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { PayloadCodec } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { openPayloads } from '../../src/temporal/codec';

const { History } = temporal.api.history.v1;
const folder = join(__dirname.replace(`${join('dist', 'test')}`, 'test'), 'histories');
const root = join(folder, '../../..');

/** A workflow run, complete or partial. */
export interface Run {
  workflowId: string;
  history: temporal.api.history.v1.IHistory;
}

/** A recorded run. */
export interface Recording extends Run {
  name: string;
}

interface RecordingFile {
  workflowId: string;
  history: object;
}

/** A payload in a file: JSON unchanged, other content in base64. */
type ShownPayload = { json: unknown } | { encoding: string; base64: string };

interface PlainPayload {
  metadata: Record<string, string>;
  data?: string;
}

/** All recordings, by name. */
export function readRecordings(): Recording[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => {
      const { workflowId, history } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as RecordingFile;
      const plain = mapObjects(history, hidden) as object;
      return { name: file.replace(/\.json$/, ''), workflowId, history: History.fromObject(plain) };
    });
}

/** Whether a recording with this name exists. */
export function isRecorded(name: string): boolean {
  return existsSync(fileOf(name));
}

/** Writes a recording. Throws if one exists and may not be replaced. */
export async function writeRecording(
  { name, workflowId, history }: Recording,
  codec: PayloadCodec,
  mayReplace: boolean,
): Promise<void> {
  const opened = await openPayloads(history, [codec]);
  const plain = History.toObject(History.fromObject(opened as object), { longs: String, enums: String, bytes: String });
  const file: RecordingFile = { workflowId, history: mapObjects(plain, shown) as object };
  // Stack traces contain paths of this machine, and worker identities contain its name.
  const text = JSON.stringify(file, null, 1).replaceAll(`${root}/`, '').replaceAll(hostname(), 'host');
  writeFileSync(fileOf(name), `${text}\n`, { flag: mayReplace ? 'w' : 'wx' });
}

const fileOf = (name: string) => join(folder, `${name}.json`);

/** Maps each object within the value, innermost first. */
function mapObjects(value: unknown, map: (value: object) => object): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, map));
  const mapped = Object.entries(value).map(([key, item]) => [key, mapObjects(item, map)] as const);
  return map(Object.fromEntries(mapped));
}

const fromBase64 = (text: string) => Buffer.from(text, 'base64').toString();
const toBase64 = (text: string) => Buffer.from(text).toString('base64');

/** Fields about the machine, which no replay reads. */
const ofTheMachine = ['identity', 'stackTrace', 'stack_trace'];

function shown(value: object): object {
  for (const key of ofTheMachine) if (key in value) Object.assign(value, { [key]: '' });
  const { metadata, data } = value as Partial<PlainPayload>;
  if (metadata?.['encoding'] === undefined) return value;
  const encoding = fromBase64(metadata['encoding']);
  const payload: ShownPayload =
    encoding === 'json/plain' && Object.keys(metadata).length === 1
      ? { json: JSON.parse(fromBase64(data ?? '')) as unknown }
      : { encoding: JSON.stringify(metadata), base64: data ?? '' };
  return { payload };
}

function hidden(value: object): object {
  const { payload } = value as { payload?: ShownPayload };
  if (payload === undefined || Object.keys(value).length !== 1) return value;
  if ('json' in payload) {
    return { metadata: { encoding: toBase64('json/plain') }, data: toBase64(JSON.stringify(payload.json)) };
  }
  return { metadata: JSON.parse(payload.encoding) as Record<string, string>, data: payload.base64 };
}

const { EventType } = temporal.api.enums.v1;

/** So many first tasks of a run are checked, and of a longer run its quarters, too: the rest of it repeats itself. */
const FIRST_TASKS = 12;

/** The run's history before each checked workflow task, as a worker without a cached copy receives it. */
export function stages({ workflowId, history }: Run): Run[] {
  const events = history.events ?? [];
  const ends = events.flatMap(({ eventType }, index) =>
    eventType === EventType.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED ? [index] : [],
  );
  const quarter = Math.ceil(ends.length / 4);
  // No history precedes the first task.
  return ends
    .filter((_, task) => task > 0 && (task <= FIRST_TASKS || task % quarter === 0 || task === ends.length - 1))
    .map((end) => ({ workflowId, history: { events: events.slice(0, end) } }));
}

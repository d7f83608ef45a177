/** Recorded runs as files: histories as JSON, their payloads opened and readable. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { PayloadCodec } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { openPayloads } from '../../src/temporal/open-payloads';

const { History } = temporal.api.history.v1;
const folder = join(__dirname.replace(`${join('dist', 'test')}`, 'test'), 'histories');
const root = join(folder, '../../..');

/** A run of a workflow, to its end or as far as it came. */
export interface Run {
  workflowId: string;
  history: temporal.api.history.v1.IHistory;
}

/** A run that is on file. */
export interface Recording extends Run {
  name: string;
}

interface RecordingFile {
  workflowId: string;
  history: object;
}

/** A payload as a file shows it: its JSON as it is, any other content in base64. */
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

/** Whether there is a recording with the name. */
export function isRecorded(name: string): boolean {
  return existsSync(fileOf(name));
}

/** Writes a recording. Throws if there is one, unless it is to be replaced. */
export async function writeRecording(
  { name, workflowId, history }: Recording,
  codec: PayloadCodec,
  mayReplace: boolean,
): Promise<void> {
  const opened = await openPayloads(history, [codec]);
  const plain = History.toObject(History.fromObject(opened as object), {
    longs: String,
    enums: String,
    bytes: String,
  });
  const file: RecordingFile = { workflowId, history: mapObjects(plain, shown) as object };
  // Stacks of failures name files of this machine, and workers are named after it.
  const text = JSON.stringify(file, null, 1).replaceAll(`${root}/`, '').replaceAll(hostname(), 'host');
  writeFileSync(fileOf(name), `${text}\n`, { flag: mayReplace ? 'w' : 'wx' });
}

const fileOf = (name: string) => join(folder, `${name}.json`);

/** The value with each object in it replaced by what `map` makes of it, from the inside out. */
function mapObjects(value: unknown, map: (value: object) => object): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, map));
  const mapped = Object.entries(value).map(([key, item]) => [key, mapObjects(item, map)] as const);
  return map(Object.fromEntries(mapped));
}

const fromBase64 = (text: string) => Buffer.from(text, 'base64').toString();
const toBase64 = (text: string) => Buffer.from(text).toString('base64');

/** What tells of the machine and no replay looks at. */
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

/** Stages of a long run that are looked at, spread over it. */
const STAGES = 20;

/** The run as it stood after its workflow tasks, as a worker meets it that does not hold it in its cache. */
export function stages({ workflowId, history }: Run): Run[] {
  const events = history.events ?? [];
  const ends = events.flatMap(({ eventType }, index) =>
    eventType === EventType.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED ? [index] : [],
  );
  const step = Math.max(1, Math.floor(ends.length / STAGES));
  // The first task has nothing before it.
  return ends
    .filter((_, task) => task > 0 && task % step === 0)
    .map((end) => ({ workflowId, history: { events: events.slice(0, end) } }));
}

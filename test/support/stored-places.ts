/** Finds where a database, or a workflow's history, holds a text or a hash: in the clear, encoded, sealed or encrypted. */
import type { Client } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { rows, type Database } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { eachPage, pageStatement } from '../../src/data/keys/move-values';
import { sealedColumns } from '../../src/data/keys/sealed-columns';
import { Sealer } from '../../src/security/sealing';
import { dataConverter } from '../../src/temporal/connection';
import { kindsIn, type Marker } from './markers';
import { stackKeyRing } from '../../dev/testbed/stack-keys';

/** The tables and sealed columns of the stack's database that hold a marker. Reads every column of every table. */
export async function storedPlacesOf(
  database: Database,
  markers: readonly Marker[],
  sealer?: Sealer,
): Promise<string[]> {
  const tables = await sql(database)<{ name: string }>`
    SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
      WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE'`;
  const places: string[] = [];
  const note = (place: string, text: string) =>
    places.push(...kindsIn(text, markers).map((kind) => `${place}: ${kind}`));
  for (const { name } of tables) {
    // Binary columns are printed as hexadecimal.
    const held = await rows<{ text: string }>(database, `SELECT to_jsonb(t)::text AS text FROM ${name} t`);
    note(name, held.map(({ text }) => text).join('\n'));
  }
  const opener = sealer ?? new Sealer(await stackKeyRing());
  for (const column of sealedColumns) {
    const page = pageStatement(column, `length(t.${column.column}) > 0`);
    await eachPage(database, page, {}, (values) => {
      const texts = values.map((value) => opener.openForView(column.place(value), value.sealed) ?? '');
      note(`${column.table}.${column.column} (sealed)`, texts.join('\n'));
    });
  }
  return [...new Set(places)];
}

/** The markers in the history of a workflow, in the clear or in a decrypted payload. */
export async function markersInHistory(
  temporal: Client,
  workflowId: string,
  markers: readonly Marker[],
): Promise<string[]> {
  const { payloadCodecs = [] } = dataConverter(await stackKeyRing());
  const history = await temporal.workflow.getHandle(workflowId).fetchHistory();
  const payloads = payloadsIn(history.events);
  if (payloads.length === 0) throw new Error(`The history of ${workflowId} has no payloads`);
  let decoded = payloads;
  for (const codec of payloadCodecs) decoded = await codec.decode(decoded);
  const texts = [
    JSON.stringify(history.events, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ...decoded.map(({ data }) => Buffer.from(data ?? []).toString('utf8')),
  ];
  return kindsIn(texts.join('\n'), markers);
}

/** Every payload in a value. */
function payloadsIn(value: unknown): Payload[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  if ('metadata' in value && 'data' in value && value.data instanceof Uint8Array) return [value as Payload];
  return Object.values(value).flatMap(payloadsIn);
}

/** Markers of the value of a recipient, of its digits and of its hashes. */
export function recipientMarkers(sealer: Sealer, value: string): Marker[] {
  const plain = value.replace(/^\+/, '');
  const hashes = sealer.lookupHashes(value);
  return [
    { kind: 'value', value: plain },
    ...hashes.map((hash) => ({ kind: 'hash', value: hash.toString('hex') })),
    ...hashes.map((hash) => ({ kind: 'hash', value: hash.toString('base64') })),
  ];
}

/** Webhook endpoints, as clients manage them. */
import type { Actor, AuditedCaller } from '../../domain/audit';
import { shownUrl } from '../../domain/webhooks/shown-url';
import { testEventType } from '../../domain/webhooks/event-payloads';
import type { DisabledReason } from '../../domain/webhooks/delivery-rules';
import { MAX_ENDPOINTS } from '../../domain/webhooks/endpoint-limits';
import { givenOrNull } from '../database/binds';
import { countRows, firstRow, oneRow, rows, type Database, type Transaction } from '../database/database';
import { clearAttention } from '../attention/attention';
import { recordAudit } from '../audit/audit-entries';
import { giveUpPending } from './endpoint-health';
import { writeVerificationTest } from './redelivery';
import { retention } from '../maintenance/retention';

export interface Endpoint {
  id: number;
  url: string;
  description: string;
  /** If empty, the endpoint receives every type except those of top-ups and `esim.usage`. */
  eventTypes: string[];
  enabled: boolean;
  /** Why the service disabled it; null if the service did not. */
  disabledReason: DisabledReason | null;
  failingSince: Date | null;
  /** When its present URL first answered with 2xx; null until then. */
  verifiedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** The fields that a client sets. */
export type EndpointSettings = Pick<Endpoint, 'url' | 'description' | 'eventTypes' | 'enabled'>;

const columns = `
  id, url, description, event_types AS "eventTypes", enabled, disabled_reason AS "disabledReason",
  failing_since AS "failingSince", verified_at AS "verifiedAt", created_at AS "createdAt", updated_at AS "updatedAt"`;

/** SQL: an endpoint of the client that is not deleted. */
export const ofClient = 'client_id = $clientId AND deleted_at IS NULL';

/** Reasons for attention that a change by the client clears. */
const clearedByChange = ['ENDPOINT_FAILING', 'MAIL_UNDELIVERABLE'] as const;

/** One page of the client's endpoints, newest first, with the number of all. */
export async function listEndpoints(
  database: Database,
  clientId: number,
  page: { offset: number; limit: number },
): Promise<{ total: number; endpoints: Endpoint[] }> {
  // At most MAX_ENDPOINTS rows: reads all and slices them.
  const all = await rows<Endpoint>(
    database,
    `SELECT ${columns} FROM webhook_endpoints WHERE ${ofClient} ORDER BY id DESC`,
    { clientId },
  );
  return { total: all.length, endpoints: all.slice(page.offset, page.offset + page.limit) };
}

/** The client's endpoint; undefined if the client has none with this id. */
export function findEndpoint(database: Database, clientId: number, id: number) {
  return firstRow<Endpoint>(database, `SELECT ${columns} FROM webhook_endpoints WHERE ${ofClient} AND id = $id`, {
    clientId,
    id,
  });
}

/**
 * Adds an endpoint and, if it is enabled, writes a `webhook.test` for its URL. Undefined if the client already has
 * `MAX_ENDPOINTS`. `sealedSecret` is bound to `nonce`.
 */
export async function addEndpoint(
  database: Database,
  caller: AuditedCaller,
  { url, description, eventTypes, enabled }: EndpointSettings,
  { nonce, sealedSecret }: { nonce: string; sealedSecret: Buffer },
): Promise<Endpoint | undefined> {
  const { clientId } = caller;
  return database.transaction(async (transaction) => {
    // Serializes the client's requests, so that the limit holds. Orders of the client do not wait for this lock.
    const client = 'SELECT id FROM clients WHERE id = $clientId FOR NO KEY UPDATE';
    await rows(database, client, { clientId }, transaction);
    const added = await firstRow<Endpoint>(
      database,
      `INSERT INTO webhook_endpoints (client_id, url, description, event_types, enabled, nonce, sealed_secret)
       SELECT $clientId, $url, $description, $eventTypes, $enabled, $nonce, $sealedSecret
        WHERE (SELECT count(*) FROM webhook_endpoints WHERE ${ofClient}) < ${MAX_ENDPOINTS}
       RETURNING ${columns}`,
      { clientId, url, description, eventTypes, enabled, nonce, sealedSecret },
      transaction,
    );
    if (!added) return undefined;
    await writeVerificationTest(database, added.id, transaction);
    const entry = { action: 'webhook_endpoint.created', object: objectOf(added.id) } as const;
    await recordAudit(database, caller, { ...entry, after: settingsOf(added) }, transaction);
    return added;
  });
}

const objectOf = (id: number) => `webhook_endpoint/${id}`;

/** The client's settings by their names in the API, for the audit. */
function settingsOf({ url, description, eventTypes, enabled }: Endpoint) {
  return { url: shownUrl(url), description, event_types: eventTypes, enabled };
}

// A client that enables an endpoint or changes its URL vouches for the endpoint, so its health is reset. A disabled
// endpoint stays `busy`, so that the next sweep notifies its workflow.
const updateStatement = `
WITH changed AS (
  UPDATE webhook_endpoints
     SET url = coalesce($url, url), description = coalesce($description, description),
         event_types = coalesce($eventTypes, event_types), enabled = coalesce($enabled, enabled),
         disabled_reason = CASE WHEN $enabled IS NULL THEN disabled_reason END,
         generation = generation + CASE WHEN renewed.it OR $enabled::boolean IS FALSE THEN 1 ELSE 0 END,
         failing_since = CASE WHEN renewed.it THEN NULL ELSE failing_since END,
         failures = CASE WHEN renewed.it THEN 0 ELSE failures END,
         circuit_open_until = CASE WHEN renewed.it THEN NULL ELSE circuit_open_until END,
         verified_at = CASE WHEN $url::text IS NULL OR $url = url THEN verified_at END,
         is_test_written = is_test_written AND ($url::text IS NULL OR $url = url),
         busy = (busy AND NOT renewed.it) OR $enabled::boolean IS FALSE,
         updated_at = now()
    FROM (SELECT $enabled::boolean IS TRUE OR $url::text IS NOT NULL AS it) renewed
   WHERE ${ofClient} AND id = $id
  RETURNING ${columns}
), released AS (
  UPDATE webhook_deliveries SET state = 'DUE', next_attempt_at = NULL
   WHERE endpoint_id = (SELECT id FROM changed WHERE enabled) AND state = 'RETRY'
     AND ($enabled::boolean IS TRUE OR $url::text IS NOT NULL)
)
SELECT * FROM changed`;

/**
 * Changes the given fields. Undefined if the client has no such endpoint. The pending deliveries of a disabled endpoint
 * are given up by its workflow, or at the latest by this function before it enables the endpoint again.
 */
export async function changeEndpoint(
  database: Database,
  caller: Actor,
  id: number,
  changes: Partial<EndpointSettings>,
): Promise<Endpoint | undefined> {
  if (changes.enabled === true) {
    if (!(await findEndpoint(database, caller.clientId, id))) return undefined;
    await giveUpPending(database, id);
  }
  return database.transaction((transaction) => change(database, caller, id, changes, transaction));
}

/**
 * Disables all endpoints of the client in the transaction, and returns their ids. Call `giveUpPending` for each after the
 * transaction.
 */
export async function disableEndpoints(database: Database, caller: Actor, transaction: Transaction): Promise<number[]> {
  const { clientId } = caller;
  const statement = `SELECT id FROM webhook_endpoints WHERE ${ofClient} AND enabled ORDER BY id`;
  const enabled = await rows<{ id: number }>(database, statement, { clientId }, transaction);
  for (const { id } of enabled) await change(database, caller, id, { enabled: false }, transaction);
  return enabled.map(({ id }) => id);
}

async function change(
  database: Database,
  caller: Actor,
  id: number,
  { url, description, eventTypes, enabled }: Partial<EndpointSettings>,
  transaction: Transaction,
): Promise<Endpoint | undefined> {
  const { clientId } = caller;
  const held = `SELECT ${columns} FROM webhook_endpoints WHERE ${ofClient} AND id = $id FOR NO KEY UPDATE`;
  const before = await firstRow<Endpoint>(database, held, { clientId, id }, transaction);
  if (!before) return undefined;
  const binds = { clientId, id, ...givenOrNull({ url, description, eventTypes, enabled }) };
  const changed = await oneRow<Endpoint>(database, updateStatement, binds, transaction);
  if (url !== undefined || enabled !== undefined) {
    await clearAttention(database, { endpointId: id }, clearedByChange, transaction);
    await writeVerificationTest(database, id, transaction);
  }
  await recordChange(database, caller, before, changed, transaction);
  return changed;
}

/** Writes the changed fields to the audit log, if any. */
async function recordChange(
  database: Database,
  caller: Actor,
  before: Endpoint,
  after: Endpoint,
  transaction: Transaction,
): Promise<void> {
  const [was, is] = [Object.entries(settingsOf(before)), Object.entries(settingsOf(after))];
  const differs = is.map(([name, value], index) =>
    name === 'url' ? before.url !== after.url : JSON.stringify(value) !== JSON.stringify(was[index]?.[1]),
  );
  if (!differs.includes(true)) return;
  const changed = {
    before: Object.fromEntries(was.filter((_, index) => differs[index])),
    after: Object.fromEntries(is.filter((_, index) => differs[index])),
  };
  const entry = { action: 'webhook_endpoint.changed', object: objectOf(after.id) } as const;
  await recordAudit(database, caller, { ...entry, ...changed }, transaction);
}

/** Deletes an endpoint. Its events and attempts stay in the log. False if the client has no such endpoint. */
export async function deleteEndpoint(database: Database, caller: AuditedCaller, id: number): Promise<boolean> {
  const { clientId } = caller;
  return database.transaction(async (transaction) => {
    const deleted = await firstRow<Endpoint>(
      database,
      `UPDATE webhook_endpoints
          SET deleted_at = now(), enabled = false, busy = true, generation = generation + 1, updated_at = now()
        WHERE ${ofClient} AND id = $id RETURNING ${columns}`,
      { clientId, id },
      transaction,
    );
    if (!deleted) return false;
    await clearAttention(database, { endpointId: id }, clearedByChange, transaction);
    const entry = { action: 'webhook_endpoint.deleted', object: objectOf(id) } as const;
    const before = { url: shownUrl(deleted.url) };
    await recordAudit(database, caller, { ...entry, before }, transaction);
    return true;
  });
}

// The deleted endpoints without a row of `deliveries`, whose retention has ended: no transaction can still write a delivery. An endpoint
// whose workflow may run is busy.
//
// Why this shape: with ORDER BY and LIMIT, PostgreSQL looks at one delivery of each endpoint. Rejected: NOT EXISTS, which may scan all
// deliveries.
const oldEndpoints = (deliveries: string) => `
old AS MATERIALIZED (
  SELECT id FROM webhook_endpoints endpoint
   WHERE deleted_at < now() - ${retention.deletedEndpoint} AND NOT busy
     AND (SELECT true FROM ${deliveries} ORDER BY event_sequence LIMIT 1) IS NULL
     AND NOT EXISTS (SELECT FROM webhook_disablings WHERE endpoint_id = endpoint.id)
     AND NOT EXISTS (SELECT FROM attention WHERE endpoint_id = endpoint.id AND cleared_at IS NULL)
   LIMIT $limit
)`;

const ofOtherEvents = `
  webhook_deliveries JOIN events event ON event.sequence = event_sequence
  WHERE endpoint_id = endpoint.id AND event.type <> $testType`;

const deleteTestsStatement = `
-- plan: webhook_deliveries_pkey, events_sequence_key
WITH ${oldEndpoints(ofOtherEvents)}
DELETE FROM webhook_deliveries WHERE (endpoint_id, event_sequence) IN (
  SELECT old.id, delivery.event_sequence
    FROM old CROSS JOIN LATERAL (
      SELECT event_sequence FROM webhook_deliveries WHERE endpoint_id = old.id
       ORDER BY event_sequence LIMIT $limit) delivery
   LIMIT $limit)
RETURNING event_sequence`;

const deleteEndpointsStatement = `
-- plan: webhook_deliveries_pkey
WITH ${oldEndpoints('webhook_deliveries WHERE endpoint_id = endpoint.id')}, secrets AS (
  DELETE FROM webhook_previous_secrets USING old WHERE endpoint_id = old.id
), replays AS (
  DELETE FROM webhook_replays USING old WHERE endpoint_id = old.id
)
DELETE FROM webhook_endpoints endpoint USING old WHERE endpoint.id = old.id RETURNING endpoint.id`;

/**
 * Deletes endpoints that their clients deleted more than an hour ago: at most `limit` deliveries of their tests, then at most `limit`
 * endpoints without deliveries, with their secrets. The log looks an event up for each endpoint of its client, so even a client that
 * adds and deletes endpoints all the time must have few. Keeps endpoints with a record of a disabling, an entry on the attention
 * list, or deliveries of other events, which are deleted with these. Returns the number of rows of the last step: fewer than `limit`
 * means that none is left.
 */
export async function deleteOldEndpoints(database: Database, limit: number): Promise<number> {
  const tests = { limit, testType: testEventType };
  if ((await countRows(database, deleteTestsStatement, tests)) === limit) return limit;
  return countRows(database, deleteEndpointsStatement, { limit });
}

/** Closes the account of a client: it can no longer be used, and the service sends nothing to it. */
import { oneRow, rows, type Database } from '../database/database';
import { recordOperation } from '../audit/audit-entries';
import { giveUpPending } from '../webhooks/endpoint-health';
import { disableEndpoints } from '../webhooks/endpoints';
import { revokeKeysOf } from './api-keys';
import { endSessions } from './token-sessions';

/** What a closed client still has. */
export interface ClientRemains {
  /** Orders that have not ended. */
  open_orders: number;
  /** The balances that are not 0: `12.5 USD`. */
  balances: string[];
}

/** What closes with a client, by number. */
export interface ClosedAccess {
  keys_revoked: number;
  sessions_ended: number;
  endpoints_disabled: number;
}

/** What ends when the client is closed now. */
export function readClosing(database: Database, clientId: number) {
  return oneRow<ClosedAccess & { waiting_events: number }>(
    database,
    `WITH endpoint AS (SELECT id FROM webhook_endpoints WHERE client_id = $clientId AND deleted_at IS NULL AND enabled)
     SELECT (SELECT count(*) FROM api_keys WHERE client_id = $clientId AND is_live_key(revoked_at, expires_at)) AS keys_revoked,
            (SELECT count(*) FROM token_families WHERE client_id = $clientId AND (revoked_at IS NULL OR reused)) AS sessions_ended,
            (SELECT count(*) FROM endpoint) AS endpoints_disabled,
            (SELECT coalesce(sum(waiting), 0) FROM endpoint CROSS JOIN LATERAL (
                SELECT count(*) AS waiting FROM webhook_deliveries WHERE endpoint_id = endpoint.id AND state = 'DUE'
                UNION ALL SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = endpoint.id AND state = 'RETRY') counted)::bigint
              AS waiting_events`,
    { clientId },
  );
}

/** What remains when the client is closed. */
export function readRemains(database: Database, clientId: number) {
  return oneRow<ClientRemains>(
    database,
    `SELECT (SELECT count(*) FROM orders WHERE client_id = $clientId AND completed_at IS NULL) AS open_orders,
            ARRAY(SELECT decimal_text(balance, currency_code) || ' ' || currency_code FROM wallets
                   WHERE client_id = $clientId AND balance <> 0 ORDER BY currency_code) AS balances`,
    { clientId },
  );
}

const suspendStatement = `
  UPDATE clients SET status = 'SUSPENDED', updated_at = now() WHERE id = $clientId AND status <> 'SUSPENDED' RETURNING id`;

/**
 * Suspends the client, revokes its keys, ends its sessions and disables its endpoints in one transaction, then gives up the pending
 * deliveries. Returns what has changed; all 0 if the client was closed before. Open orders continue, and balances stay.
 */
export async function closeClient(database: Database, clientId: number): Promise<ClosedAccess> {
  const { endpoints, ...closed } = await database.transaction(async (transaction) => {
    // Keys before the client, as a login locks them, so that the two cannot deadlock. Triggers end sessions that begin during it.
    const sessions_ended = await endSessions(database, clientId, transaction);
    const keys_revoked = await revokeKeysOf(database, clientId, transaction);
    const suspended = await rows(database, suspendStatement, { clientId }, transaction);
    const endpoints = await disableEndpoints(database, { clientId, by: 'OPERATOR' }, transaction);
    const after = { keys_revoked, sessions_ended, endpoints_disabled: endpoints.length };
    const entry = { clientId, action: 'client.closed', object: `client/${clientId}`, after } as const;
    if (suspended.length + keys_revoked + sessions_ended + endpoints.length > 0)
      await recordOperation(database, entry, transaction);
    return { ...after, endpoints };
  });
  for (const id of endpoints) await giveUpPending(database, id);
  return closed;
}

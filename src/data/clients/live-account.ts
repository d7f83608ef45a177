/** The live view of an account in the console: balances, and new events and webhook attempts. */
import type { Family } from '../../domain/orders/families';
import type { OrderStatus } from '../../domain/orders/order-states';
import { oneRow, type Database } from '../database/database';
import type { AttemptOutcome } from '../webhooks/events';

/** Times are RFC 3339, amounts decimal strings. */
export interface LiveAccount {
  /** The sessions in `sessionIds` that have not ended, and may still read. */
  activeSessionIds: string[];
  wallets: LiveWallet[];
  events: LiveEvent[];
  attempts: LiveAttempt[];
  /** The orders to which `events` refer. */
  orders: LiveOrder[];
}

export interface LiveWallet {
  id: number;
  currency: string;
  balance: string;
  /** With the credit limit. */
  available: string;
}

export interface LiveEvent {
  sequence: number;
  id: string;
  type: string;
  orderId: number | null;
  createdAt: string;
}

export interface LiveAttempt extends AttemptOutcome {
  id: number;
  eventId: string;
  endpointId: number;
  attemptedAt: string;
}

export interface LiveOrder {
  id: number;
  family: Family;
  productName: string;
  clientReference: string | null;
  status: OrderStatus;
  quantity: number;
  deliveredQuantity: number;
  listTotal: string;
  productCurrency: string;
  price: string;
  walletCurrency: string;
  placedAt: string;
}

/** The maximum number of events and of attempts that one read returns. */
export const MAX_DELTA = 100;

export interface LiveAccountQuery {
  clientId: number;
  /** The sessions of the open pages (ids in `token_families`). */
  sessionIds: string[];
  /** Events after this sequence number, and attempts after this id. */
  eventsAfter: number;
  attemptsAfter: number;
}

// The console runs the statement once a second for a client with open pages. It takes 0.2 ms if nothing is new. It reads only the
// newest attempts of the newest events, in index order, because a client can request any number of attempts for an event. The
// limits are literals, because for a bound limit the planner expects a tenth of all events.
const statement = `
WITH newest AS MATERIALIZED (
  SELECT sequence FROM events WHERE client_id = $clientId ORDER BY sequence DESC LIMIT ${MAX_DELTA}
), new_events AS MATERIALIZED (
  SELECT sequence, id, type, order_id, created_at FROM events
   WHERE sequence = ANY (ARRAY(SELECT sequence FROM newest WHERE sequence > $eventsAfter))
), new_attempts AS MATERIALIZED (
  SELECT attempt.id, event.id AS event_id, attempt.endpoint_id, attempt.attempted_at, attempt.duration_ms,
         attempt.response_status, attempt.error
    FROM newest CROSS JOIN LATERAL (
      SELECT * FROM webhook_attempts WHERE event_sequence = newest.sequence AND id > $attemptsAfter
       ORDER BY id DESC LIMIT ${MAX_DELTA}) attempt
    JOIN events event ON event.sequence = newest.sequence
   ORDER BY attempt.id DESC LIMIT ${MAX_DELTA}
)
SELECT
  ARRAY(SELECT family.id FROM token_families family JOIN api_keys key ON key.id = family.api_key_id
         WHERE family.id = ANY($sessionIds::uuid[]) AND family.revoked_at IS NULL
           AND is_live_key(key.revoked_at, key.expires_at) AND 'read' = ANY (key.scopes)) AS "activeSessionIds",
  ARRAY(SELECT json_build_object('id', id, 'currency', currency_code, 'balance', balance::text,
                                 'available', (balance + credit_limit)::text)
          FROM wallets WHERE client_id = $clientId ORDER BY id) AS wallets,
  ARRAY(SELECT json_build_object('sequence', sequence, 'id', id, 'type', type, 'orderId', order_id,
                                 'createdAt', created_at)
          FROM new_events ORDER BY sequence) AS events,
  ARRAY(SELECT json_build_object('id', id, 'eventId', event_id, 'endpointId', endpoint_id, 'attemptedAt', attempted_at,
                                 'durationMs', duration_ms, 'responseStatus', response_status, 'error', error)
          FROM new_attempts ORDER BY id) AS attempts,
  ARRAY(SELECT json_build_object('id', o.id, 'family', o.family, 'productName', o.product_name,
                                 'clientReference', o.client_reference, 'status', o.status, 'quantity', o.quantity,
                                 'deliveredQuantity', o.delivered_quantity, 'listTotal', o.amount::text,
                                 'productCurrency', o.base_currency, 'price', o.total_payable::text,
                                 'walletCurrency', o.deduction_currency, 'placedAt', o.placed_at)
          FROM orders o WHERE o.id = ANY (ARRAY(SELECT order_id FROM new_events)) ORDER BY o.id) AS orders`;

/** The balances, and the events and attempts that the caller does not have. */
export function readLiveAccount(database: Database, query: LiveAccountQuery) {
  return oneRow<LiveAccount>(database, statement, { ...query });
}

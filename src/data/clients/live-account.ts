/** An account at this moment, as the console shows it. */
import type { Family } from '../../domain/orders/families';
import type { OrderStatus } from '../../domain/orders/orders';
import { firstRow, type Database } from '../database/database';

/** Times are RFC 3339, amounts decimal strings. */
export interface LiveAccount {
  /** The given sessions that are alive. */
  families: string[];
  wallets: LiveWallet[];
  events: LiveEvent[];
  attempts: LiveAttempt[];
  /** The orders of these events. */
  orders: LiveOrder[];
}

export interface LiveWallet {
  id: number;
  currency: string;
  balance: string;
}

export interface LiveEvent {
  sequence: number;
  id: string;
  type: string;
  orderId: number | null;
  createdAt: string;
}

export interface LiveAttempt {
  id: number;
  eventId: string;
  endpointId: number;
  attemptedAt: string;
  durationMs: number;
  responseStatus: number | null;
  error: string | null;
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

/** The newest events and attempts that one read returns. */
export const MAX_DELTA = 100;

export interface LiveAccountQuery {
  clientId: number;
  /** Sessions by their families. */
  families: string[];
  /** Events after this sequence number, and attempts after this id. */
  eventsAfter: number;
  attemptsAfter: number;
}

// What the pages of a client show of its account: one statement a second for a client whose pages are open.
// Of events and attempts only what is younger than the caller has seen; attempts of the newest events alone, which an
// index holds together. 0.2 ms where nothing is new. The limits are written out: the planner would take a bound one for
// a tenth of all events.
const statement = `
WITH newest AS MATERIALIZED (
  SELECT sequence FROM events WHERE client_id = $clientId ORDER BY sequence DESC LIMIT 100
), news AS MATERIALIZED (
  SELECT sequence, id, type, order_id, created_at FROM events
   WHERE sequence = ANY (ARRAY(SELECT sequence FROM newest WHERE sequence > $eventsAfter))
), tries AS MATERIALIZED (
  SELECT attempt.id, event.id AS event_id, attempt.endpoint_id, attempt.attempted_at, attempt.duration_ms,
         attempt.response_status, attempt.error
    FROM newest JOIN webhook_attempts attempt ON attempt.event_sequence = newest.sequence AND attempt.id > $attemptsAfter
    JOIN events event ON event.sequence = newest.sequence
   ORDER BY attempt.id DESC LIMIT 100
)
SELECT
  ARRAY(SELECT id FROM token_families WHERE id = ANY($families::uuid[]) AND revoked_at IS NULL) AS families,
  ARRAY(SELECT json_build_object('id', id, 'currency', currency_code, 'balance', balance::text)
          FROM wallets WHERE client_id = $clientId ORDER BY id) AS wallets,
  ARRAY(SELECT json_build_object('sequence', sequence, 'id', id, 'type', type, 'orderId', order_id,
                                 'createdAt', created_at)
          FROM news ORDER BY sequence) AS events,
  ARRAY(SELECT json_build_object('id', id, 'eventId', event_id, 'endpointId', endpoint_id, 'attemptedAt', attempted_at,
                                 'durationMs', duration_ms, 'responseStatus', response_status, 'error', error)
          FROM tries ORDER BY id) AS attempts,
  ARRAY(SELECT json_build_object('id', o.id, 'family', o.family, 'productName', o.product_name,
                                 'clientReference', o.client_reference, 'status', o.status, 'quantity', o.quantity,
                                 'deliveredQuantity', o.delivered_quantity, 'listTotal', o.amount::text,
                                 'productCurrency', o.base_currency, 'price', o.total_payable::text,
                                 'walletCurrency', o.deduction_currency, 'placedAt', o.placed_at)
          FROM orders o WHERE o.id = ANY (ARRAY(SELECT order_id FROM news)) ORDER BY o.id) AS orders`;

/** Balances, and what came since. */
export async function readLiveAccount(database: Database, question: LiveAccountQuery): Promise<LiveAccount> {
  return (await firstRow<LiveAccount>(database, statement, { ...question })) as LiveAccount;
}

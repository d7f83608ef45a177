/** What operators read: the list of what needs a person, and everything about one order. */
import type { AttentionKind } from '../domain/attention-kinds';
import type { Family } from '../domain/families';
import { firstRow, rows, type Database } from './database';

/** One line of the list. One of the three subjects is there. */
export interface ListedAttention {
  id: number;
  kind: AttentionKind;
  order_id: number | null;
  supplier: string | null;
  endpoint_id: number | null;
  reason: string;
  since: Date;
}

/** Everything that needs a person, the oldest first. */
export async function listAttention(database: Database): Promise<ListedAttention[]> {
  return rows<ListedAttention>(
    database,
    `SELECT id, kind, order_id, supplier, endpoint_id, reason, since
       FROM attention WHERE cleared_at IS NULL ORDER BY since, id`,
  );
}

/** An order that needs a person, with one of the reasons. */
export interface OrderWithAttention {
  id: number;
  client_id: number;
  family: Family;
  status: string;
  product_name: string;
  total_payable: string;
  currency: string;
  placed_at: Date;
  kind: AttentionKind;
  attention: string;
}

const ordersWithAttention = `
  SELECT o.id, o.client_id, o.family, o.status, o.product_name, o.total_payable,
         o.deduction_currency AS currency, o.placed_at, a.kind, a.reason AS attention
    FROM attention a JOIN orders o ON o.id = a.order_id WHERE a.cleared_at IS NULL ORDER BY a.since, a.id`;

/** The orders that need a person, the oldest reason first. */
export async function listOrdersWithAttention(database: Database): Promise<OrderWithAttention[]> {
  return rows<OrderWithAttention>(database, ordersWithAttention);
}

const orderReport = `
  SELECT o.nonce, to_jsonb(o) - 'sealed_email' || jsonb_build_object(
           'attention', (SELECT coalesce(jsonb_agg(jsonb_build_object('kind', a.kind, 'reason', a.reason,
                                  'since', a.since) ORDER BY a.since), '[]')
                           FROM attention a WHERE a.order_id = o.id AND a.cleared_at IS NULL),
           'transactions', (SELECT coalesce(jsonb_agg(to_jsonb(t) ORDER BY t.id), '[]')
                              FROM transactions t WHERE t.order_id = o.id),
           'purchases', (SELECT coalesce(jsonb_agg(to_jsonb(p) - 'sealed_words' ORDER BY p.batch), '[]')
                           FROM supplier_purchases p WHERE p.order_id = o.id),
           'goods_apart', (SELECT coalesce(jsonb_agg(to_jsonb(g) - 'sealed' ORDER BY g.id), '[]')
                             FROM goods_apart g WHERE g.order_id = o.id),
           'events', (SELECT coalesce(jsonb_agg(to_jsonb(e) ORDER BY e.sequence), '[]')
                        FROM events e WHERE e.order_id = o.id)) AS report
    FROM orders o WHERE o.id = $orderId`;

/** An order with its ledger entries, purchases and events; what is sealed is left out or stays sealed. */
export async function findOrderReport(
  database: Database,
  orderId: number,
): Promise<{ nonce: string; report: object } | undefined> {
  return firstRow(database, orderReport, { orderId });
}

/** What is needed to act on an order. */
export interface OrderState {
  nonce: string;
  family: Family;
  status: string;
  /** It has ended. */
  isOver: boolean;
}

/** The order; undefined if there is none with the id. */
export async function findOrderState(database: Database, orderId: number): Promise<OrderState | undefined> {
  return firstRow<OrderState>(
    database,
    'SELECT nonce, family, status, completed_at IS NOT NULL AS "isOver" FROM orders WHERE id = $orderId',
    { orderId },
  );
}

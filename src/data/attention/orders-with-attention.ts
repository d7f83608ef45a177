/** The orders of which the attention list has entries. */
import type { AttentionKind } from '../../domain/attention/attention-kinds';
import type { Family } from '../../domain/orders/families';
import { rows, type Database } from '../database/database';
import { number, oneOf, text, time, type RowWith } from '../../domain/row-columns';

/** An order on the attention list, with one of its entries. */
export const orderWithAttentionColumns = {
  id: number,
  /** The same id, under the name that it has in the attention list. */
  order_id: number,
  client_id: number,
  client: text,
  family: oneOf<Family>(),
  status: text,
  product_name: text,
  total_payable: text,
  currency: text,
  placed_at: time,
  kind: oneOf<AttentionKind>(),
  attention: text,
};
export type OrderWithAttention = RowWith<typeof orderWithAttentionColumns>;

const ordersWithAttention = `
  SELECT o.id, o.id AS order_id, o.client_id, client.name AS client, o.family, o.status, o.product_name, o.total_payable,
         o.deduction_currency AS currency, o.placed_at, a.kind, a.reason AS attention
    FROM attention a JOIN orders o ON o.id = a.order_id JOIN clients client ON client.id = o.client_id WHERE a.cleared_at IS NULL ORDER BY a.since, a.id`;

/** The orders on the attention list, the oldest entry first. */
export function listOrdersWithAttention(database: Database) {
  return rows<OrderWithAttention>(database, ordersWithAttention);
}

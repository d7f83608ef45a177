/** The reads of operators: the attention list, and one order with all its rows. */
import { columnsOfOrder, type AttentionOrder } from '../attention/attention-order';
import { withMarkedChoice } from '../../domain/cost-texts';
import type { AttentionKind } from '../../domain/attention/attention-kinds';
import type { Family } from '../../domain/orders/families';
import type { OrderStatus } from '../../domain/orders/order-states';
import type { SupplierTrouble } from '../../domain/orders/order-choices';
import type { Candidate } from '../../domain/orders/sources';
import { utcTime } from '../../domain/time';
import { firstRow, rows, type Database } from '../database/database';
import type { RechargeColumns, ReplacementColumns } from './replacement-orders';
import { newestSupplier } from '../purchases/purchase-reads';
import { list, number, oneOf, orNull, text, time, type RowWith } from '../../domain/row-columns';

/** One entry of the list. Without an order, a supplier and an endpoint, it is about the service as a whole. */
export const listedAttentionColumns = {
  id: number,
  kind: oneOf<AttentionKind>(),
  order_id: orNull(number),
  /** The client of the order or of the endpoint. */
  client: orNull(text),
  /** The debit of the order with its currency: `12.5 USD`. */
  amount: orNull(text),
  /** Seconds since it was listed. */
  age: number,
  supplier: orNull(text),
  endpoint_id: orNull(number),
  reason: text,
  since: time,
  /** That of the order. */
  family: orNull(oneOf<Family>()),
  /** The person who works on it, since `taken_at`. */
  taken_by: orNull(text),
  taken_at: orNull(time),
  /** The oldest first. */
  notes: list<{ at: string; by: string; text: string }>(),
};
export type ListedAttention = RowWith<typeof listedAttentionColumns>;

/** The conditions of the list. An undefined condition matches every entry. */
export interface AttentionFilter {
  kind?: AttentionKind | undefined;
  /** The client of the order or of the endpoint. */
  clientId?: number | undefined;
  /** The supplier of the entry, or of a purchase of its order. */
  supplier?: string | undefined;
  family?: Family | undefined;
  orderId?: number | undefined;
  /** Only entries that are not among these. */
  without?: readonly number[] | undefined;
  /** Only these entries. */
  among?: readonly number[] | undefined;
  takenBy?: string | undefined;
  /** Only entries that no operator has taken. */
  isFree?: boolean | undefined;
  /** Default: by age. */
  sort?: AttentionOrder | undefined;
  /** Only entries behind this one. */
  after?: number | undefined;
  limit?: number | undefined;
}

/** The attention list, by default the oldest entry first. */
export function listAttention(database: Database, filter: AttentionFilter = {}) {
  const { kind = null, clientId = null, supplier = null, family = null, orderId = null } = filter;
  const { takenBy = null, isFree = false, sort = 'age', after = null, limit = null, without = [] } = filter;
  const { among = null } = filter;
  const columns = columnsOfOrder[sort];
  return rows<ListedAttention>(
    database,
    `SELECT entry.id, entry.kind, entry.order_id, client.name AS client,
            trim_scale(o.total_payable) || ' ' || o.deduction_currency AS amount,
            extract(epoch FROM now() - entry.since)::float8 AS age,
            entry.supplier, entry.endpoint_id, entry.reason, entry.since, o.family, taking.operator AS taken_by,
            taking.taken_at,
            ARRAY(SELECT jsonb_build_object('at', rfc3339(noted_at), 'by', operator, 'text', note)
                    FROM attention_notes WHERE attention_id = entry.id ORDER BY id) AS notes
       FROM attention entry
       LEFT JOIN attention_takings taking ON taking.attention_id = entry.id
       LEFT JOIN orders o ON o.id = entry.order_id
       LEFT JOIN webhook_endpoints endpoint ON endpoint.id = entry.endpoint_id
       LEFT JOIN clients client ON client.id = coalesce(o.client_id, endpoint.client_id)
      WHERE entry.cleared_at IS NULL
        AND ($kind::text IS NULL OR entry.kind = $kind)
        AND ($clientId::integer IS NULL OR client.id = $clientId)
        AND ($supplier::text IS NULL OR entry.supplier = $supplier
             OR EXISTS (SELECT FROM supplier_purchases p WHERE p.order_id = entry.order_id AND p.supplier = $supplier))
        AND ($family::text IS NULL OR o.family = $family)
        AND ($orderId::bigint IS NULL OR entry.order_id = $orderId)
        AND entry.id <> ALL ($without::bigint[])
        AND ($among::bigint[] IS NULL OR entry.id = ANY ($among))
        AND ($takenBy::text IS NULL OR taking.operator = $takenBy)
        AND NOT ($isFree AND taking.operator IS NOT NULL)
        AND ($after::bigint IS NULL OR (${columns}) > (
              SELECT ${columns} FROM attention entry LEFT JOIN orders o ON o.id = entry.order_id WHERE entry.id = $after))
      ORDER BY ${columns} LIMIT $limit`,
    { kind, clientId, supplier, family, orderId, takenBy, isFree, without, among, after, limit },
  );
}

const orderReport = `
  SELECT o.nonce, (to_jsonb(o) - 'sealed_email' - 'email_hash' - 'mailbox_hash' || jsonb_build_object(
           'attention', (SELECT coalesce(jsonb_agg(jsonb_build_object('kind', a.kind, 'reason', a.reason,
                                  'since', rfc3339(a.since)) ORDER BY a.since), '[]')
                           FROM attention a WHERE a.order_id = o.id AND a.cleared_at IS NULL),
           'recharges_order_id', (SELECT recharges_order_id FROM esim_orders WHERE order_id = o.id),
           'recharge_order_ids', (SELECT coalesce(jsonb_agg(order_id ORDER BY order_id), '[]')
                                    FROM esim_orders WHERE recharges_order_id = o.id),
           'api_key', (SELECT key.api_key FROM order_reservations r JOIN api_keys key ON key.id = r.api_key_id WHERE r.order_id = o.id),
           'request_id', (SELECT request_id FROM order_reservations r WHERE r.order_id = o.id), 'client', (SELECT name FROM clients WHERE id = o.client_id),
           'erased_at', (SELECT rfc3339(erased_at) FROM order_erasures WHERE order_id = o.id), 'earned', (SELECT to_jsonb(earned) FROM order_margin(o) earned),
           'refunds', (SELECT coalesce(jsonb_agg(to_jsonb(r) ORDER BY r.number), '[]')
                         FROM order_refunds r WHERE r.order_id = o.id),
           'transactions', (SELECT coalesce(jsonb_agg(to_jsonb(t) ORDER BY t.id), '[]')
                              FROM transactions t WHERE t.order_id = o.id),
           'purchases', (SELECT coalesce(jsonb_agg(to_jsonb(p) - 'sealed_words' ORDER BY p.batch), '[]')
                           FROM supplier_purchases p WHERE p.order_id = o.id),
           'quarantined_goods', (SELECT coalesce(jsonb_agg(to_jsonb(g) - '{sealed,code_hash,second_hash}'::text[] ORDER BY g.id), '[]')
                             FROM quarantined_goods g WHERE g.order_id = o.id),
           'events', (SELECT coalesce(jsonb_agg(to_jsonb(e) ORDER BY e.sequence), '[]')
                        FROM events e WHERE e.order_id = o.id)))::text AS report
    FROM orders o WHERE o.id = $orderId`;

/** The columns of an order that people read, and its rows of other tables. The JSON has all columns. */
export interface OrderReport extends ReplacementColumns, RechargeColumns {
  id: number;
  client_id: number;
  client: string;
  client_reference: string | null;
  family: Family;
  status: OrderStatus;
  product_id: number;
  product_name: string;
  country_code: string;
  wallet_id: number;
  quantity: number;
  delivered_quantity: number;
  total_payable: number;
  deduction_currency: string;
  placed_at: string;
  completed_at: string | null;
  mailed_at: string | null;
  mail_given_up_at: string | null;
  erased_at: string | null;
  failure_code: string | null;
  /** The key and the request that ordered; null once the reservation is deleted. */
  api_key: string | null;
  request_id: string | null;
  sources: Pick<Candidate, 'supplier' | 'sku' | 'why'>[];
  /** Null while the order is open. */
  earned: { sold: number; cost: number | null; margin: number | null; currency_difference: number | null } | null;
  attention: { kind: AttentionKind; reason: string; since: string }[];
  /** The refunds after delivery, also those that wait (`transaction_id` null). */
  refunds: {
    number: number;
    reference: string;
    units: number | null;
    unit: number | null;
    amount: number;
    reason_code: string;
    note: string | null;
    operator: string;
    transaction_id: number | null;
    created_at: string;
  }[];
  transactions: {
    sequence: number;
    kind: string;
    transaction_type: string;
    amount: number;
    balance_after: number;
    created_at: string;
  }[];
  purchases: {
    reference: string;
    supplier: string;
    sku: string;
    state: string;
    attempt: number;
    units: number;
    stored: number;
    supplier_order_id: string | null;
    cost: number | null;
    cost_currency: string | null;
    failure_code: string | null;
    detail: string | null;
    why: string;
    replaces: string | null;
    sent_at: string | null;
    asked_at: string | null;
    updated_at: string;
    reversed_at: string | null;
  }[];
  quarantined_goods: {
    reference: string;
    position: number;
    reason: string;
    defect: string | null;
    received_at: string;
  }[];
  events: { type: string; created_at: string }[];
}

/** An order with its margin, ledger entries, purchases, quarantined goods and events, without sealed values. Times: as in the API. */
export async function findOrderReport(database: Database, orderId: number) {
  const found = await firstRow<{ nonce: string; report: string }>(database, orderReport, { orderId });
  return found && { nonce: found.nonce, report: JSON.parse(found.report, readColumn) as OrderReport };
}

/** Replaces the microseconds and the offset that PostgreSQL's JSON gives a column of times, and marks the costs of chosen sources. */
function readColumn(column: string, value: unknown): unknown {
  if (column === 'why' && typeof value === 'string') return withMarkedChoice(value);
  return typeof value === 'string' && column.endsWith('_at') ? utcTime(value) : value;
}

/** The identity and status of an order. `isOver`: whether it has ended. */
export interface OrderStanding {
  nonce: string;
  family: Family;
  status: string;
  isOver: boolean;
}

/** The order; undefined if there is none with the id. */
export function findOrderState(database: Database, orderId: number) {
  return firstRow<OrderStanding>(
    database,
    'SELECT nonce, family, status, completed_at IS NOT NULL AS "isOver" FROM orders WHERE id = $orderId',
    { orderId },
  );
}

/** The state of an order as the CLI prints it after a retry. */
export interface OrderOutcome {
  client: string;
  status: string;
  isOver: boolean;
  isHeld: boolean;
  quantity: number;
  delivered: number;
  /** The debit. */
  price: string;
  currency: string;
  /** The refund; null without one. */
  refunded: string | null;
  supplier: string;
  /** Purchases that the supplier has, or may have. */
  open: number;
  /** The reason of its oldest entry on the attention list; null without one. */
  attention: string | null;
  /** Null unless the supplier blocks our account, or calls for the family fail. */
  supplierTrouble: SupplierTrouble | null;
}

const outcomeQuery = `
  SELECT client.name AS client, o.status, o.completed_at IS NOT NULL AS "isOver", o.held IS NOT NULL AS "isHeld", o.quantity, o.delivered_quantity AS delivered,
         trim_scale(o.total_payable)::text AS price, o.deduction_currency AS currency, seller.supplier,
         (SELECT trim_scale(sum(amount))::text FROM transactions WHERE order_id = o.id AND kind = 'REFUND') AS refunded,
         (SELECT count(*) FROM supplier_purchases WHERE order_id = o.id AND state IN ('SENT', 'PENDING')) AS open,
         (SELECT reason FROM attention WHERE order_id = o.id AND cleared_at IS NULL ORDER BY since, id LIMIT 1) AS attention,
         (SELECT jsonb_build_object('isBlocked', is_blocked, 'since', rfc3339(since), 'error', last_error)
            FROM (SELECT true AS is_blocked, blocked_since AS since, last_error FROM supplier_health
                   WHERE supplier = seller.supplier AND blocked_since IS NOT NULL
                  UNION ALL
                  (SELECT false, failing_since, last_error FROM supplier_calls
                    WHERE supplier = seller.supplier AND family = o.family AND failing_since IS NOT NULL
                    ORDER BY last_failure_at DESC LIMIT 1)) trouble
           ORDER BY is_blocked DESC LIMIT 1) AS "supplierTrouble"
    FROM orders o JOIN clients client ON client.id = o.client_id
   CROSS JOIN LATERAL (SELECT ${newestSupplier('o')} AS supplier) seller WHERE o.id = $orderId`;

/** The state of the order. Throws if there is no such order. */
export async function findOrderOutcome(database: Database, orderId: number): Promise<OrderOutcome> {
  const outcome = await firstRow<OrderOutcome>(database, outcomeQuery, { orderId });
  if (!outcome) throw new Error(`There is no order ${orderId}. Find it with: orders find`);
  return outcome;
}

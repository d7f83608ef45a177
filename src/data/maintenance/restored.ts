/** Repairs a restored database. The gap is the time between its backup and the restore. */
import type { OrderKey } from '../../domain/orders/order-messages';
import { countRows, oneRow, rows, type Database } from '../database/database';

/**
 * The given orders that the database has, as orders or as decided reservations. Omits reservations that were undecided in the
 * backup: such a reservation may have become an order in the gap, and cannot become one again.
 */
export function knownOrders(database: Database, orders: readonly OrderKey[]) {
  const binds = { ids: orders.map(({ orderId }) => orderId), nonces: orders.map(({ nonce }) => nonce) };
  return rows<OrderKey>(
    database,
    `SELECT asked.id AS "orderId", asked.nonce
       FROM unnest($ids::bigint[], $nonces::text[]) AS asked (id, nonce)
      WHERE EXISTS (SELECT FROM orders o WHERE o.id = asked.id AND o.nonce = asked.nonce)
         OR EXISTS (SELECT FROM order_reservations r
                     WHERE r.order_id = asked.id AND r.nonce = asked.nonce AND r.state <> 'RESERVED')`,
    binds,
  );
}

/** The names of these clients by id. Clients that were created in the gap are missing. */
export async function namesOfClients(database: Database, ids: readonly number[]): Promise<Map<number, string>> {
  const found = await rows<{ id: number; name: string }>(
    database,
    'SELECT id, name FROM clients WHERE id = ANY ($ids::integer[])',
    { ids },
  );
  return new Map(found.map(({ id, name }) => [id, name]));
}

const identities = `
SELECT sequence.oid, sequence.oid::regclass::text AS name, coalesce(pg_sequence_last_value(sequence.oid), 0) AS last
  FROM pg_class sequence
  JOIN pg_depend owned ON owned.objid = sequence.oid AND owned.classid = 'pg_class'::regclass AND owned.deptype = 'i'
 WHERE sequence.relkind = 'S' AND sequence.relnamespace = current_schema::regnamespace`;

/** Each order has fewer rows than this in any table with ids. */
const ROWS_OF_AN_ORDER = 10;
/** Additional ids to skip, for rejected order requests, funding and keys in the gap. */
const SPARE = 1_000;

/**
 * Skips all ids that were assigned in the gap: order ids up to `highestOrder`, and in the other tables as many ids as the orders
 * of the gap can have used. Returns the last skipped order id.
 */
export async function skipGivenIds(database: Database, highestOrder: number): Promise<number> {
  const { last } = await oneRow<{ last: number }>(
    database,
    `WITH identity AS (${identities}),
          gap AS (SELECT greatest($highestOrder - last, 0) AS orders FROM identity WHERE name = 'order_reservations_order_id_seq'),
          moved AS (
            SELECT name, setval(oid::regclass, last + ${SPARE} +
                                CASE WHEN name = 'order_reservations_order_id_seq' THEN gap.orders
                                     ELSE gap.orders * ${ROWS_OF_AN_ORDER} END) AS last
              FROM identity, gap)
     SELECT last FROM moved WHERE name = 'order_reservations_order_id_seq'`,
    { highestOrder },
  );
  return last;
}

/**
 * Marks every unsent purchase as SENT, so that it is looked up before it is sent: it may have been sent in the gap, and
 * its supplier may not recognise a repeated reference. A held one stays held, and its release makes it SENT. Returns their number.
 */
export function pollBeforeBuying(database: Database) {
  return countRows(
    database,
    `UPDATE supplier_purchases p
        SET state = CASE state WHEN 'HELD' THEN 'HELD' ELSE 'SENT' END, attempt = attempt + 1, sent_at = clock_timestamp(),
            updated_at = now()
       FROM orders o
      WHERE o.id = p.order_id AND o.completed_at IS NULL AND p.state IN ('HELD', 'READY') RETURNING p.reference`,
  );
}

/** A purchase that its supplier shows. */
export interface ShownPurchase extends OrderKey {
  reference: string;
}

/**
 * The ids of open orders for which the supplier shows a purchase that the database lacks. That purchase was made in the
 * gap, in place of a purchase that is still open in the database.
 */
export async function ordersBoughtInGap(database: Database, shown: readonly ShownPurchase[]): Promise<number[]> {
  const found = await rows<{ orderId: number }>(
    database,
    `SELECT DISTINCT o.id AS "orderId"
       FROM unnest($references::text[], $ids::bigint[], $nonces::text[]) AS shown (reference, id, nonce)
       JOIN orders o ON o.id = shown.id AND o.nonce = shown.nonce AND o.completed_at IS NULL
      WHERE NOT EXISTS (SELECT FROM supplier_purchases p WHERE p.reference = shown.reference)`,
    {
      references: shown.map(({ reference }) => reference),
      ids: shown.map(({ orderId }) => orderId),
      nonces: shown.map(({ nonce }) => nonce),
    },
  );
  return found.map(({ orderId }) => orderId);
}

/** Makes the service buy nothing more for these orders: see `Purchase.boughtInGap`. */
export async function markBoughtInGap(database: Database, orderIds: readonly number[]): Promise<void> {
  await rows(
    database,
    `UPDATE supplier_purchases SET bought_in_gap = true
      WHERE order_id = ANY ($orderIds::bigint[]) AND state IN ('HELD', 'READY', 'SENT', 'PENDING')`,
    { orderIds },
  );
}

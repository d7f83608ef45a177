/** Orders as their clients read them. */
import type { Family } from '../../domain/orders/families';
import { orderStatuses, type OrderStatus } from '../../domain/orders/orders';
import { firstRow, plannedLimit, rows, type Database } from '../database/database';
import type { Binds } from '../database/binds';
import type { VoucherRow } from './order-rows';
import { familyStorage, type RowOf, type SingleOf } from '../purchases/families';

const orderColumns = `
  o.id, o.nonce, o.client_reference AS "clientReference", o.product_id AS "productId",
  o.product_name AS "productName", o.country_code AS "countryCode", o.quantity,
  o.unit_amount AS "faceValue", o.amount AS "listTotal", o.discount, o.base_currency AS "productCurrency",
  o.wallet_id AS "walletId", o.deduction_currency AS "walletCurrency",
  o.total_payable AS price, o.transaction_id AS "transactionId", o.status,
  o.failure_code AS "failureCode", o.delivered_quantity AS "deliveredQuantity",
  o.sealed_email AS "sealedEmail", o.placed_at AS "placedAt", o.completed_at AS "completedAt",
  refund.amount AS refund, refund.id AS "refundTransactionId"`;

/** Only what has failed or was cancelled is looked up: other orders have no refund. */
const refundJoin = `
  LEFT JOIN transactions refund
    ON refund.order_id = o.id AND refund.kind = 'REFUND' AND o.status IN ('FAILED', 'CANCELLED')`;

/** The reads of a family: all columns, and the joins they come from. */
function readOf(family: Family) {
  const { columns, join } = familyStorage[family].read;
  return { columns: [orderColumns, ...columns].join(', '), join: `${join} ${refundJoin}` };
}

/** Made once: a text that is made for each read is also looked up by all of its characters. */
const singleStatements: Record<Extent, Map<Family, string>> = { single: new Map(), whole: new Map() };

/** How much is read of an order: 'single' leaves out the units of a large one (`VoucherOrderRow`). */
type Extent = 'single' | 'whole';

function singleStatement(family: Family, extent: Extent): string {
  const made = singleStatements[extent].get(family) ?? makeSingleStatement(family, extent);
  singleStatements[extent].set(family, made);
  return made;
}

function makeSingleStatement(family: Family, extent: Extent): string {
  const { columns, join } = readOf(family);
  const { single = [], whole = single } = familyStorage[family];
  const own = extent === 'whole' ? whole : single;
  return `
    SELECT ${[columns, ...own].join(', ')} FROM orders o ${join}
     WHERE o.id = $id AND o.client_id = $clientId AND o.family = '${family}'`;
}

/** The client's order of the family, or undefined if there is none with the id. */
export async function findOrder<F extends Family>(
  database: Database,
  family: F,
  clientId: number,
  id: number,
  extent: Extent = 'single',
): Promise<SingleOf[F] | undefined> {
  return firstRow<SingleOf[F]>(database, singleStatement(family, extent), { id, clientId });
}

/** The order that holds the reference, whatever its family. */
export async function findByReference(
  database: Database,
  clientId: number,
  clientReference: string,
): Promise<{ id: number; family: Family } | undefined> {
  return firstRow(
    database,
    'SELECT id, family FROM orders WHERE client_id = $clientId AND client_reference = $clientReference',
    {
      clientId,
      clientReference,
    },
  );
}

/** The client's order of any family, or undefined if there is none with the id. */
export async function findOrderOfAnyFamily(
  database: Database,
  clientId: number,
  id: number,
): Promise<{ family: Family; status: OrderStatus } | undefined> {
  return firstRow(database, 'SELECT family, status FROM orders WHERE id = $id AND client_id = $clientId', {
    id,
    clientId,
  });
}

/** Whether the order has not ended yet. */
export async function isOpen(database: Database, id: number): Promise<boolean> {
  const found = await firstRow(database, 'SELECT FROM orders WHERE id = $id AND completed_at IS NULL', {
    id,
  });
  return found !== undefined;
}

/** Those of the ids that are orders: an order request that was never placed has an id, too. */
export async function placedAmong(database: Database, ids: readonly number[]): Promise<number[]> {
  const found = await rows<{ id: number }>(database, 'SELECT id FROM orders WHERE id = ANY ($ids)', { ids });
  return found.map(({ id }) => id);
}

export interface OrderFilter {
  clientReference?: string | undefined;
  /** RECHARGED: a state of old that clients may ask for and no order has. */
  status?: OrderStatus | 'RECHARGED' | undefined;
  productId?: number | undefined;
  countryCode?: string | undefined;
}

/** Rows read by one statement: a page of 10,000 read at once would hold up everything else in the process. */
const READ_AT_ONCE = 250;

interface Slice {
  offset: number;
  limit: number;
  /** The order after which the slice begins. */
  after?: number | undefined;
}

/**
 * One page of the client's orders of a family, newest first, with the exact number of all that match.
 * Newest is what was placed last by the client's clock (`client_clocks`): a reader that goes from
 * the top down to a row it knows has seen every order that came to be since it read that row.
 */
export async function listOrders<F extends Family>(
  database: Database,
  family: F,
  clientId: number,
  filter: OrderFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; orders: RowOf[F][] }> {
  const total = await countOrders(database, family, clientId, filter);
  const orders: RowOf[F][] = [];
  const wanted = Math.min(limit, total - offset);
  while (orders.length < wanted) {
    const after = orders.at(-1)?.id;
    const size = Math.min(READ_AT_ONCE, limit - orders.length);
    const slice = await readSlice(database, family, clientId, filter, {
      offset: after === undefined ? offset : 0,
      limit: size,
      after,
    });
    orders.push(...slice);
    if (slice.length < size) break;
  }
  return { total, orders };
}

/**
 * Every status is read in order from an index and merged; only the rows of the slice are fetched. Its text depends on
 * family, filter and statuses, so it has no file of its own.
 *
 * Rejected: one scan without the statuses. Its index would have to exist beside that of each filter, and a status that is
 * rare is then looked for in all orders of the client (177 ms at 1.5 million).
 */
async function readSlice<F extends Family>(
  database: Database,
  family: F,
  clientId: number,
  filter: OrderFilter,
  { offset, limit, after }: Slice,
): Promise<RowOf[F][]> {
  const { conditions, binds } = matching(family, clientId, filter);
  const following =
    after === undefined
      ? ''
      : ' AND (o.placed_at, o.id) < (SELECT placed_at, id FROM orders WHERE id = $after)';
  const statuses = filter.status === undefined ? orderStatuses : [filter.status];
  const statusBinds = Object.fromEntries(statuses.map((status, index) => [`status${index}`, status]));
  const newest = 'ORDER BY placed_at DESC, id DESC';
  // The limit of a branch tells the planner that its index is read only as far as it is needed.
  const enough = plannedLimit(offset + limit);
  const listed = Object.keys(statusBinds).map(
    (status) =>
      `(SELECT id, placed_at FROM orders o
         WHERE ${conditions} AND o.status = $${status}${following} ${newest} LIMIT ${enough})`,
  );
  const { columns, join } = readOf(family);
  return rows<RowOf[F]>(
    database,
    `WITH slice AS MATERIALIZED (
       SELECT id, placed_at FROM (${listed.join(' UNION ALL ')}) listed
        ${newest} OFFSET $offset LIMIT $limit)
     SELECT ${columns} FROM slice JOIN orders o USING (id) ${join}
      ORDER BY o.placed_at DESC, o.id DESC`,
    {
      ...binds,
      ...statusBinds,
      ...(after !== undefined && { after }),
      offset,
      limit,
    },
  );
}

/** Counter rows answer; only a reference, which one order has at most, is looked up. */
async function countOrders(
  database: Database,
  family: Family,
  clientId: number,
  filter: OrderFilter,
): Promise<number> {
  const { conditions, binds } = matching(family, clientId, filter);
  const { status } = filter;
  const everything = status === undefined ? conditions : `${conditions} AND o.status = $status`;
  const counted = await firstRow<{ total: string }>(
    database,
    filter.clientReference === undefined
      ? `SELECT coalesce(sum(change), 0) AS total FROM order_counts o WHERE ${everything}`
      : `SELECT count(*) AS total FROM orders o WHERE ${everything}`,
    { ...binds, ...(status !== undefined && { status }) },
  );
  return Number(counted?.total);
}

/** All of the filter but the status, as conditions and their values. */
function matching(
  family: Family,
  clientId: number,
  { clientReference, productId, countryCode }: OrderFilter,
): { conditions: string; binds: Binds } {
  const wanted = [
    { name: 'clientId', column: 'o.client_id', value: clientId },
    { name: 'clientReference', column: 'o.client_reference', value: clientReference },
    { name: 'productId', column: 'o.product_id', value: productId },
    { name: 'countryCode', column: 'o.country_code', value: countryCode },
  ].filter(({ value }) => value !== undefined);
  // The family is written out: an index of one family serves a prepared statement only where its text names that family.
  const conditions = [`o.family = '${family}'`, ...wanted.map(({ name, column }) => `${column} = $${name}`)];
  return {
    conditions: conditions.join(' AND '),
    binds: Object.fromEntries(wanted.map(({ name, value }) => [name, value])),
  };
}

/** Every voucher of the order that exists so far, by unit. */
export async function listVouchers(database: Database, orderId: number): Promise<VoucherRow[]> {
  return rows<VoucherRow>(
    database,
    `SELECT unit, card_number AS "cardNumber", pin_code AS "pinCode", claim_url AS "claimUrl",
            voucher_reference_number AS "referenceNumber", expires_at AS "expiresAt"
       FROM vouchers WHERE order_id = $orderId ORDER BY unit`,
    { orderId },
  );
}

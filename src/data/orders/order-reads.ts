/** Orders as their clients read them. */
import type { Family } from '../../domain/orders/families';
import type { OrderKey } from '../../domain/orders/order-messages';
import { orderStatuses, type OrderStatus } from '../../domain/orders/order-states';
import { firstRow, hasRow, oneRow, plannedLimit, rows, type Database } from '../database/database';
import type { Binds } from '../database/binds';
import { readInSlices, type Slice } from '../database/slices';
import { indexedOrders } from './indexed-orders';
import { creditedRefunds } from './order-refunds';
import type { VoucherRow } from './order-rows';
import { voucherPages } from './voucher-bytes';
import { familyStorage, type RowOf, type SingleOf } from '../purchases/families';

/** The order and the unit that the order `o` replaces. */
export const replacedColumns = `
  o.replaces_order_id AS "replacesOrderId", CASE WHEN o.family = 'VOUCHER' THEN o.replaces_unit END AS "replacesUnit"`;

const orderColumns = `
  o.id, o.nonce, o.client_reference AS "clientReference", o.product_id AS "productId",
  o.product_name AS "productName", o.country_code AS "countryCode", o.quantity,
  o.unit_amount AS "faceValue", o.amount AS "listTotal", o.discount, o.base_currency AS "productCurrency",
  o.wallet_id AS "walletId", o.deduction_currency AS "walletCurrency",
  o.total_payable AS price, o.transaction_id AS "transactionId", o.status,
  o.failure_code AS "failureCode", o.held IS NOT NULL AS "isHeld", o.delivered_quantity AS "deliveredQuantity",
  o.sealed_email AS "sealedEmail", o.placed_at AS "placedAt", o.completed_at AS "completedAt",
  ${replacedColumns},
  CASE WHEN o.replacement_count > 0 THEN (
    SELECT jsonb_agg(jsonb_build_object('unit', CASE WHEN o.family = 'VOUCHER' THEN replacement.replaces_unit END, 'order_id', replacement.id,
                                        'replaced_at', rfc3339(replacement.completed_at)) ORDER BY replacement.id)
      FROM orders replacement
     WHERE replacement.replaces_order_id = o.id AND replacement.status NOT IN ('FAILED', 'CANCELLED')) END AS replacements,
  refund.amount AS refund, refund.id AS "refundTransactionId", coalesce(refund.is_automatic, false) AS "isRefunded"`;

/** The columns of a family's orders and their joins. */
function readOf(family: Family) {
  const { columns, join } = familyStorage[family].read;
  return { columns: [orderColumns, ...columns].join(', '), join: `${join} ${creditedRefunds}` };
}

/** Built once, because a new string must be hashed whole to look up its compiled statement. */
const singleStatements = new Map<Family, string>();

function singleStatement(family: Family): string {
  const built = singleStatements.get(family) ?? buildSingleStatement(family);
  singleStatements.set(family, built);
  return built;
}

function buildSingleStatement(family: Family): string {
  const { columns, join } = readOf(family);
  const { single = [] } = familyStorage[family];
  return `
    SELECT ${[columns, ...single].join(', ')} FROM orders o ${join}
     WHERE o.id = $id AND o.client_id = $clientId AND o.family = '${family}'`;
}

/** The client's order of the family, or undefined if there is none with the id. */
export function findOrder<F extends Family>(database: Database, family: F, clientId: number, id: number) {
  return firstRow<SingleOf[F]>(database, singleStatement(family), { id, clientId });
}

const pagesStatement = `
  SELECT ${orderColumns}, ${voucherPages.column} FROM orders o ${creditedRefunds} ${voucherPages.join}
   WHERE o.id = $id AND o.client_id = $clientId AND o.family = 'VOUCHER' ORDER BY first_unit`;

/**
 * The client's voucher order in pages. Each row has the order and the vouchers of its page, null if none of them is delivered. Empty
 * if there is no order with the id. One statement reads all pages: they are consistent.
 */
export function readVoucherPages(database: Database, clientId: number, id: number) {
  return rows<SingleOf['VOUCHER']>(database, pagesStatement, { id, clientId });
}

/** The order of any family that has the reference. */
export function findByReference(database: Database, clientId: number, clientReference: string) {
  return firstRow<{ id: number; family: Family }>(
    database,
    'SELECT id, family FROM orders WHERE client_id = $clientId AND client_reference = $clientReference',
    { clientId, clientReference },
  );
}

/** The client's order of any family, or undefined if there is none with the id. */
export function findOrderOfAnyFamily(database: Database, clientId: number, id: number) {
  return firstRow<{ family: Family; status: OrderStatus }>(
    database,
    'SELECT family, status FROM orders WHERE id = $id AND client_id = $clientId',
    { id, clientId },
  );
}

/** Whether the order has not ended yet. */
export function isOrderOpen(database: Database, id: number): Promise<boolean> {
  return hasRow(database, 'SELECT FROM orders WHERE id = $id AND completed_at IS NULL', { id });
}

/** The orders with these ids. Omits reservations that were never placed. */
export function placedAmong(database: Database, ids: readonly number[]) {
  const statement = 'SELECT id AS "orderId", nonce FROM orders WHERE id = ANY ($ids::bigint[])';
  return rows<OrderKey>(database, statement, { ids });
}

export interface OrderListFilter {
  clientReference?: string | undefined;
  /** RECHARGED: an obsolete state, which clients may filter by and no order has. */
  status?: OrderStatus | 'RECHARGED' | undefined;
  productId?: number | undefined;
  countryCode?: string | undefined;
  /** Inclusive. */
  placedAfter?: Date | undefined;
  /** Exclusive. */
  placedBefore?: Date | undefined;
}

/**
 * One page of the client's orders of a family, newest first, with the exact number of matches. Orders are sorted by the
 * client's clock (`client_clocks`): a reader that reads down to a known row has seen every order since that row.
 */
export async function listOrders<F extends Family>(
  database: Database,
  family: F,
  clientId: number,
  filter: OrderListFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; orders: RowOf[F][] }> {
  const total = await countOrders(database, family, clientId, filter);
  const orders = await readInSlices({ offset, limit, total }, (slice) =>
    readSlice(database, family, clientId, filter, slice),
  );
  return { total, orders };
}

/** Fetches only the rows of the slice. The statuses are bound, because each different text is prepared on each connection. */
function readSlice<F extends Family>(
  database: Database,
  family: F,
  clientId: number,
  filter: OrderListFilter,
  { offset, limit, after }: Slice,
) {
  const { conditions, binds } = matching(clientId, filter);
  const following = '(o.placed_at, o.id) < (SELECT placed_at, id FROM orders WHERE id = $after)';
  const statuses = filter.status === undefined ? orderStatuses : [filter.status];
  const statusBinds = Object.fromEntries(statuses.map((status, index) => [`status${index}`, status]));
  const listed = indexedOrders({
    families: [family],
    statuses: Object.keys(statusBinds).map((name) => `$${name}`),
    conditions: after === undefined ? conditions : [...conditions, following],
    sequence: 'newest first',
    limit: offset + limit,
  });
  const { columns, join } = readOf(family);
  return rows<RowOf[F]>(
    database,
    // With the literal limit, PostgreSQL expects no fewer rows from bound values than from unknown ones, and plans the statement once.
    `WITH slice AS MATERIALIZED (
       SELECT id FROM (${listed} LIMIT ${plannedLimit(offset + limit)}) known ORDER BY placed_at DESC, id DESC OFFSET $offset LIMIT $limit)
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

/**
 * Sums counter rows. With a reference, which at most one order has, or with times, by which nothing is counted in advance, counts
 * orders instead. The orders of each status are a range of an index.
 */
async function countOrders(
  database: Database,
  family: Family,
  clientId: number,
  filter: OrderListFilter,
): Promise<number> {
  const { conditions, binds } = matching(clientId, filter);
  const { status } = filter;
  const all = [`o.client_id = $clientId AND o.family = '${family}'`, ...conditions];
  const wanted = [...all, ...(status === undefined ? [] : ['o.status = $status'])].join(' AND ');
  if (hasTimes(filter)) {
    const statuses = status === undefined ? orderStatuses : [status];
    const { total } = await oneRow<{ total: string }>(
      database,
      `SELECT coalesce(sum(counted.orders), 0) AS total
         FROM unnest($statuses::text[]) AS status (name)
        CROSS JOIN LATERAL (
          SELECT count(*) AS orders FROM orders o WHERE ${[...all, 'o.status = status.name'].join(' AND ')}) counted`,
      { ...binds, statuses },
    );
    return Number(total);
  }
  const { total } = await oneRow<{ total: string }>(
    database,
    filter.clientReference === undefined
      ? `SELECT coalesce(sum(change), 0) AS total FROM order_counts o WHERE ${wanted}`
      : `SELECT count(*) AS total FROM orders o WHERE ${wanted}`,
    { ...binds, ...(status !== undefined && { status }) },
  );
  return Number(total);
}

function hasTimes({ placedAfter, placedBefore }: OrderListFilter): boolean {
  return placedAfter !== undefined || placedBefore !== undefined;
}

/** The conditions of the filter, without the status, and the values of them and of the client. */
function matching(
  clientId: number,
  { clientReference, productId, countryCode, placedAfter, placedBefore }: OrderListFilter,
): { conditions: string[]; binds: Binds } {
  const wanted = [
    { name: 'clientReference', condition: 'o.client_reference =', value: clientReference },
    { name: 'productId', condition: 'o.product_id =', value: productId },
    { name: 'countryCode', condition: 'o.country_code =', value: countryCode },
    { name: 'placedAfter', condition: 'o.placed_at >=', value: placedAfter },
    { name: 'placedBefore', condition: 'o.placed_at <', value: placedBefore },
  ].filter(({ value }) => value !== undefined);
  return {
    conditions: wanted.map(({ name, condition }) => `${condition} $${name}`),
    binds: { clientId, ...Object.fromEntries(wanted.map(({ name, value }) => [name, value])) },
  };
}

/** The delivered vouchers of the order, by unit. */
export function listDeliveredVouchers(database: Database, orderId: number) {
  return rows<VoucherRow>(
    database,
    `SELECT unit, sealed_codes AS "sealedCodes", expires_at AS "expiresAt"
       FROM vouchers WHERE order_id = $orderId ORDER BY unit`,
    { orderId },
  );
}

/** Orders as their clients read them. */
import type { Family } from '../../domain/orders/families';
import type { OrderKey } from '../../domain/orders/order-messages';
import { orderStatuses, type OrderStatus } from '../../domain/orders/order-states';
import { firstRow, hasRow, rows, type Database } from '../database/database';
import { givenOnly } from '../database/binds';
import {
  sequenceOf,
  SlicedList,
  type Direction,
  type ListPage,
  type ListPosition,
  type RowsBeyond,
  type Slice,
} from '../database/slices';
import { indexedOrders } from './indexed-orders';
import { creditedRefunds } from './stored-refunds';
import type { VoucherRow } from './order-rows';
import { voucherPages } from './voucher-bytes';
import { familyStorage, type RowOf, type SingleOf } from '../purchases/families';
import { namesOf } from '../../domain/records';

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

type Filters = Omit<OrderListFilter, 'status'>;

const filterConditions: Readonly<Record<keyof Filters, string>> = {
  clientReference: 'o.client_reference = $clientReference',
  productId: 'o.product_id = $productId',
  countryCode: 'o.country_code = $countryCode',
  placedAfter: 'o.placed_at >= $placedAfter',
  placedBefore: 'o.placed_at < $placedBefore',
};

/**
 * One page of the client's orders of a family, newest first, with the exact number of matches. Orders are sorted by the
 * client's clock (`client_clocks`): a reader that reads down to a known row has seen every order since that row.
 */
export function listOrders<F extends Family>(
  database: Database,
  family: F,
  clientId: number,
  filter: OrderListFilter,
  page: { offset: number; limit: number },
): Promise<ListPage<RowOf[F]>> {
  const { list, binds } = filteredList(family, clientId, filter);
  return list.page<RowOf[F]>(database, binds, page);
}

/**
 * At most `limit` orders of the list beyond the position, which is any order of the client and the family. Undefined if the client has
 * none with this id in the family.
 */
export function listOrdersBeyond<F extends Family>(
  database: Database,
  family: F,
  clientId: number,
  filter: OrderListFilter,
  position: ListPosition,
  limit: number,
): Promise<RowsBeyond<RowOf[F]> | undefined> {
  const { list, binds } = filteredList(family, clientId, filter);
  return list.beyond<RowOf[F]>(database, binds, position, limit);
}

function filteredList(family: Family, clientId: number, { status, ...filters }: OrderListFilter) {
  // The statuses are bound, because each different text is prepared on each connection.
  const statuses = status === undefined ? orderStatuses : [status];
  const binds = {
    clientId,
    ...givenOnly({ ...filters }),
    ...Object.fromEntries(statuses.map((name, index) => [`status${index}`, name])),
  };
  return { list: listOf(family, filters, statuses.length), binds };
}

const lists = new Map<string, SlicedList>();

/** The list of a family with these filters and `statusCount` statuses. Built once. */
function listOf(family: Family, filters: Filters, statusCount: number): SlicedList {
  const given = namesOf(filterConditions).filter((name) => filters[name] !== undefined);
  const key = [family, statusCount, ...given].join();
  const known = lists.get(key);
  if (known) return known;
  const matches: Matches = {
    family,
    given,
    statuses: Array.from({ length: statusCount }, (_, index) => `$status${index}`),
  };
  const list = new SlicedList({
    count: countStatement(matches, filters),
    position: `SELECT FROM orders WHERE id = $from AND client_id = $clientId AND family = '${family}'`,
    select: (slice) => sliceStatement(matches, slice),
    sortedBy: ['"placedAt"', 'id'],
  });
  lists.set(key, list);
  return list;
}

/** The orders of a list: their family, their statuses as SQL, and the names of the given filters. */
interface Matches {
  family: Family;
  statuses: string[];
  given: readonly (keyof Filters)[];
}

const conditionsOf = (given: Matches['given']) => given.map((name) => filterConditions[name]);

/**
 * The row beyond which a slice begins, and the bound of time on the same side. An index is read from one of two bounds on, not from the
 * nearer one, so they are one bound.
 */
const sliceBounds = {
  older: {
    filter: 'placedBefore',
    operator: '<',
    merged: 'least(placed_at, $placedBefore), CASE WHEN placed_at < $placedBefore THEN id ELSE 0 END',
  },
  newer: {
    filter: 'placedAfter',
    operator: '>',
    merged: 'greatest(placed_at, $placedAfter), CASE WHEN placed_at >= $placedAfter THEN id ELSE 0 END',
  },
} as const;

/** The conditions of a slice that begins beyond the order with the id `$from`. */
function conditionsBeyond(given: Matches['given'], direction: Direction): string[] {
  const { filter, operator, merged } = sliceBounds[direction];
  const bound = given.includes(filter) ? merged : 'placed_at, id';
  return [
    ...given.filter((name) => name !== filter).map((name) => filterConditions[name]),
    `(o.placed_at, o.id) ${operator} (SELECT ${bound} FROM orders WHERE id = $from)`,
  ];
}

/** Fetches only the rows of the slice. */
function sliceStatement({ family, statuses, given }: Matches, slice: Slice): string {
  const { beyond } = slice;
  const listed = indexedOrders({
    families: [family],
    statuses,
    conditions: beyond === undefined ? conditionsOf(given) : conditionsBeyond(given, beyond),
    sequence: beyond === 'newer' ? 'oldest first' : 'newest first',
    limit: slice.plannedLimit,
  });
  const sequence = sequenceOf(['placed_at', 'id'], beyond);
  const { columns, join } = readOf(family);
  // With the literal limit, PostgreSQL expects no fewer rows from bound values than from unknown ones, and plans the statement once.
  return `
    WITH slice AS MATERIALIZED (
      SELECT id FROM (${listed} LIMIT ${slice.plannedLimit}) known ORDER BY ${sequence} OFFSET $offset LIMIT ${slice.limit})
    SELECT ${columns} FROM slice JOIN orders o USING (id) ${join}`;
}

/**
 * Sums counter rows. With a reference, which at most one order has, or with times, by which nothing is counted in advance, counts
 * orders instead. The orders of each status are a range of an index.
 */
function countStatement({ family, statuses, given }: Matches, filters: Filters): string {
  const all = ['o.client_id = $clientId', `o.family = '${family}'`, ...conditionsOf(given)].join(' AND ');
  if (filters.placedAfter !== undefined || filters.placedBefore !== undefined) {
    return `
      SELECT coalesce(sum(counted.orders), 0)::bigint AS total
        FROM unnest(ARRAY[${statuses.join(', ')}]::text[]) AS status (name)
       CROSS JOIN LATERAL (SELECT count(*) AS orders FROM orders o WHERE ${all} AND o.status = status.name) counted`;
  }
  const wanted = `${all} AND o.status IN (${statuses.join(', ')})`;
  return filters.clientReference === undefined
    ? `SELECT coalesce(sum(change), 0)::bigint AS total FROM order_counts o WHERE ${wanted}`
    : `SELECT count(*) AS total FROM orders o WHERE ${wanted}`;
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

/** Orders as their clients read them. */
import type { ActivationStatus } from '../../domain/esim-life';
import type { FailureCode } from '../../domain/failure-codes';
import type { Family, OrderStatus } from '../../domain/orders';
import { firstRow, rows, type Database } from '../database';

/** What every family shows of an order. Amounts are decimal strings; `sealedEmail` is bound to `nonce`. */
export interface OrderRow {
  id: number;
  nonce: string;
  clientReference: string | null;
  productId: number;
  productName: string;
  countryCode: string;
  quantity: number;
  unitAmount: string;
  amount: string;
  discount: string;
  baseCurrency: string;
  walletId: number;
  deductionCurrency: string;
  totalPayable: string;
  transactionId: number | null;
  status: OrderStatus;
  failureCode: FailureCode | null;
  deliveredQuantity: number;
  sealedEmail: Buffer | null;
  placedAt: Date;
  completedAt: Date | null;
}

const orderColumns = `
  o.id, o.nonce, o.client_reference AS "clientReference", o.product_id AS "productId",
  o.product_name AS "productName", o.country_code AS "countryCode", o.quantity,
  o.unit_amount AS "unitAmount", o.amount, o.discount, o.base_currency AS "baseCurrency",
  o.wallet_id AS "walletId", o.deduction_currency AS "deductionCurrency",
  o.total_payable AS "totalPayable", o.transaction_id AS "transactionId", o.status,
  o.failure_code AS "failureCode", o.delivered_quantity AS "deliveredQuantity",
  o.sealed_email AS "sealedEmail", o.placed_at AS "placedAt", o.completed_at AS "completedAt"`;

/** The family's own columns and where they come from. */
const detailOf: Readonly<Record<Family, { columns: string; join: string }>> = {
  VOUCHER: { columns: '', join: '' },
  TOPUP: {
    columns: ', d.variant_name AS "variantName", d.sealed_input AS "sealedInput"',
    join: 'JOIN topup_orders d ON d.order_id = o.id',
  },
  ESIM: {
    columns: `, d.data_amount_gb AS "dataAmountGb", d.validity_days AS "validityDays",
      d.activation_code AS "activationCode", d.iccid, d.activation_status AS "activationStatus",
      d.installed_at AS "installedAt", d.activated_at AS "activatedAt"`,
    join: 'JOIN esim_orders d ON d.order_id = o.id',
  },
};

export interface TopupOrderRow extends OrderRow {
  variantName: string;
  sealedInput: Buffer;
}

export interface EsimOrderRow extends OrderRow {
  dataAmountGb: string;
  validityDays: number;
  activationCode: Buffer | null;
  iccid: Buffer | null;
  activationStatus: ActivationStatus | null;
  installedAt: Date | null;
  activatedAt: Date | null;
}

interface RowOf {
  VOUCHER: OrderRow;
  TOPUP: TopupOrderRow;
  ESIM: EsimOrderRow;
}

/** The client's order of the family, or undefined where there is none with the id. */
export async function findOrder<F extends Family>(
  database: Database,
  family: F,
  clientId: number,
  id: number,
): Promise<RowOf[F] | undefined> {
  const { columns, join } = detailOf[family];
  return firstRow<RowOf[F]>(
    database,
    `SELECT ${orderColumns}${columns} FROM orders o ${join}
      WHERE o.id = $1 AND o.client_id = $2 AND o.family = $3`,
    [id, clientId, family],
  );
}

/** The order that holds the reference, whatever its family. */
export async function findByReference(
  database: Database,
  clientId: number,
  clientReference: string,
): Promise<{ id: number; family: Family } | undefined> {
  return firstRow(database, 'SELECT id, family FROM orders WHERE client_id = $1 AND client_reference = $2', [
    clientId,
    clientReference,
  ]);
}

/** Whether the order has not ended yet. */
export async function isOpen(database: Database, id: number): Promise<boolean> {
  const found = await firstRow(database, 'SELECT FROM orders WHERE id = $1 AND completed_at IS NULL', [id]);
  return found !== undefined;
}

export interface OrderFilter {
  clientReference?: string | undefined;
  /** RECHARGED: a state of old that clients may ask for and no order has. */
  status?: OrderStatus | 'RECHARGED' | undefined;
  productId?: number | undefined;
  countryCode?: string | undefined;
}

/** One page of the client's orders of a family, newest first, with the exact number of all that match. */
export async function listOrders<F extends Family>(
  database: Database,
  family: F,
  clientId: number,
  filter: OrderFilter,
  page: { offset: number; limit: number },
): Promise<{ total: number; orders: RowOf[F][] }> {
  const total = await countOrders(database, family, clientId, filter);
  if (page.offset >= total) return { total, orders: [] };
  const { columns, join } = detailOf[family];
  const { where, bind } = conditions(family, clientId, filter);
  // Only an index is read up to the page; the rows of the page alone are fetched.
  const orders = await rows<RowOf[F]>(
    database,
    `WITH page AS MATERIALIZED (
       SELECT id FROM orders o WHERE ${where}
        ORDER BY id DESC OFFSET $${bind.length + 1} LIMIT $${bind.length + 2})
     SELECT ${orderColumns}${columns} FROM page JOIN orders o USING (id) ${join} ORDER BY o.id DESC`,
    [...bind, page.offset, page.limit],
  );
  return { total, orders };
}

/** Counter rows answer where they can; a rarer filter counts the rows that match, by index. */
async function countOrders(
  database: Database,
  family: Family,
  clientId: number,
  filter: OrderFilter,
): Promise<number> {
  const { clientReference, productId, countryCode, status } = filter;
  const countable = clientReference === undefined && productId === undefined && countryCode === undefined;
  const { where, bind } = conditions(family, clientId, filter);
  const counted = countable
    ? await firstRow<{ total: string }>(
        database,
        `SELECT coalesce(sum(change), 0) AS total FROM order_counts
          WHERE client_id = $1 AND family = $2 AND ($3::text IS NULL OR status = $3)`,
        [clientId, family, status ?? null],
      )
    : await firstRow<{ total: string }>(
        database,
        `SELECT count(*) AS total FROM orders o WHERE ${where}`,
        bind,
      );
  return Number(counted?.total);
}

function conditions(
  family: Family,
  clientId: number,
  filter: OrderFilter,
): { where: string; bind: unknown[] } {
  const equal = Object.entries({
    'o.client_id': clientId,
    'o.family': family,
    'o.client_reference': filter.clientReference,
    'o.status': filter.status,
    'o.product_id': filter.productId,
    'o.country_code': filter.countryCode,
  }).filter(([, value]) => value !== undefined);
  return {
    where: equal.map(([column], index) => `${column} = $${index + 1}`).join(' AND '),
    bind: equal.map(([, value]) => value),
  };
}

/** Codes of one voucher, sealed for (order, unit, field). */
export interface VoucherRow {
  unit: number;
  cardNumber: Buffer | null;
  pinCode: Buffer | null;
  claimUrl: Buffer | null;
  referenceNumber: Buffer | null;
  expiresAt: Date | null;
}

/** Every voucher of the order that exists so far, by unit. */
export async function listVouchers(database: Database, orderId: number): Promise<VoucherRow[]> {
  return rows<VoucherRow>(
    database,
    `SELECT unit, card_number AS "cardNumber", pin_code AS "pinCode", claim_url AS "claimUrl",
            voucher_reference_number AS "referenceNumber", expires_at AS "expiresAt"
       FROM vouchers WHERE order_id = $1 ORDER BY unit`,
    [orderId],
  );
}

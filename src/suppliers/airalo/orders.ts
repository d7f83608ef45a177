/** Airalo's orders, each of one eSIM, and the reports that follow from them. */
import Joi from 'joi';
import type { RechargedProfile, ReportedUnit } from '../../domain/orders/goods';
import type { SoldItem } from '../../domain/orders/contradicting-sale';
import { safeText } from '../../domain/safe-text';
import {
  decimal,
  esimUnit,
  MAX_ROWS,
  optionalText,
  read,
  readTexts,
  rechargeUnit,
  text,
  timeOf,
  unreadable,
} from '../kit/messages';
import { ambiguous, rejectionReport, severalRows } from '../kit/reports';
import { textAt } from '../kit/sold';
import type { LookupReport, Money, PurchaseReport, SoldPurchase } from '../../domain/suppliers/port';
import { orderStates, type AiraloOrderState } from './error-codes';

interface OrderMessage {
  id: string;
  description: string;
  quantity?: string;
  created_at?: string;
  status?: { slug?: string };
  sims?: unknown[];
}

/** Text other than digits is rejected, because it could hold a code, and operators read the id. */
const idPattern = /^\d{1,19}$/;

const orderSchema = Joi.object<OrderMessage>({
  id: text.pattern(idPattern).required(),
  description: text.required(),
  quantity: optionalText,
  created_at: optionalText,
  status: Joi.object({ slug: optionalText }).empty(null),
  sims: Joi.array().max(MAX_ROWS).empty(null),
});

/** Read separately, because a price in another form must not hide the goods. */
const costSchema = Joi.object<{ currency: string; net_price?: string; total_amount_paid?: string }>({
  currency: text.length(3).required(),
  net_price: decimal.empty(['', null]),
  total_amount_paid: decimal.empty(['', null]),
});

const boughtSchema = Joi.object<{ data: unknown }>({ data: Joi.object().required() });
/** Any order that was sold, whatever its description: it has an id and eSIMs. */
const soldSchema = Joi.object<{ id: string; description?: unknown; sims: unknown[] }>({
  id: text.required(),
  description: Joi.any(),
  sims: Joi.array().required(),
});
const acceptedSchema = Joi.object({ data: Joi.object({ request_id: text.required() }).required() });
const describedSchema = Joi.object<{ description: string }>({ description: text.required() });

const listSchema = Joi.object<{ data: object; meta: object }>({
  data: Joi.alternatives(Joi.array().max(MAX_ROWS), Joi.object()).required(),
  meta: Joi.object().required(),
});

/** The rows of a list; undefined for another body. Airalo writes later pages of some lists as objects, keyed by position. */
function readRows(body: unknown): unknown[] | undefined {
  const data = read(listSchema, body)?.data;
  if (!data || Array.isArray(data)) return data;
  const positions = Object.keys(data);
  const isList = positions.length > 0 && positions.every((position) => /^\d{1,6}$/.test(position));
  return isList ? Object.values(data) : undefined;
}

/**
 * The report of a response to a purchase; undefined if the response does not show its outcome. A sale whose description is not
 * our reference is pending: no lookup finds it, so after an unknown outcome the service would buy again.
 */
export function readPurchase(body: unknown, reference: string): PurchaseReport | undefined {
  const row = read(boughtSchema, body)?.data;
  const sold = read(soldSchema, row);
  if (sold && sold.description !== reference) return { state: 'PENDING', ...readableId(sold.id), goods: [] };
  const order = read(orderSchema, row);
  if (order) return order.description === reference ? toReport(order, row) : undefined;
  // Airalo documents this response only for asynchronous orders. It proves that the order was accepted.
  return read(acceptedSchema, body) ? { state: 'PENDING', goods: [] } : undefined;
}

/** The same for a recharge, whose order has no eSIM of its own. */
export function readRecharge(
  body: unknown,
  reference: string,
  recharged: RechargedProfile,
): PurchaseReport | undefined {
  const row = read(boughtSchema, body)?.data;
  const order = read(orderSchema, row);
  if (!order) return undefined;
  const { id: supplierOrderId, sims = [], description } = order;
  if (description !== reference) return { state: 'PENDING', supplierOrderId, goods: [] };
  const texts = readTexts(['iccid', 'qrcode'], sims[0] ?? {});
  const goods = texts
    ? rechargeUnit(recharged, { iccid: texts.iccid, activationCode: texts.qrcode })
    : unreadable(safeText`the eSIM is in another form`, sims[0]);
  return { state: 'DELIVERED', supplierOrderId, ...costOf(row), sold: soldItem(row), goods: [goods] };
}

function readableId(id: string): { supplierOrderId?: string } {
  return idPattern.test(id) ? { supplierOrderId: id } : {};
}

/**
 * The result of a lookup. The search finds every order whose description contains the reference. Undefined if a
 * description does not contain the reference: the response belongs to another search.
 */
export function readFound(body: unknown, reference: string, maxRows: number): LookupReport | undefined {
  const rows = readRows(body)?.map((row) => ({ row, description: read(describedSchema, row)?.description }));
  if (!rows?.every(({ description }) => description?.toLowerCase().includes(reference.toLowerCase()))) return undefined;
  const found = rows.filter(({ description }) => description === reference);
  const [first] = found;
  if (found.length > 1) return ambiguous(severalRows(found.length));
  if (rows.length >= maxRows)
    return ambiguous(safeText`The supplier shows only the first ${rows.length}`, first !== undefined);
  return first ? toLookupReport(first.row) : { state: 'NOT_FOUND' };
}

function toLookupReport(row: unknown): LookupReport {
  const order = read(orderSchema, row);
  if (!order) return ambiguous(safeText`The supplier shows an order that cannot be read`);
  if (order.status?.slug === 'refunded' || order.status?.slug === 'partially_refunded') return { state: 'REVERSED' };
  return toReport(order, row) ?? ambiguous(safeText`The supplier shows an order whose state and eSIMs do not fit`);
}

/** Undefined for a state that is not documented or contradicts the eSIMs. Without a state, an order with eSIMs is completed. */
function toReport(order: OrderMessage, row: unknown): PurchaseReport | undefined {
  const { id: supplierOrderId, sims = [] } = order;
  const slug = order.status?.slug;
  const state = slug === undefined && sims.length > 0 ? 'completed' : orderStateOf(slug);
  if (state === 'completed' && sims.length > 0)
    return { state: 'DELIVERED', supplierOrderId, ...costOf(row), sold: soldItem(row), goods: sims.map(unitOf) };
  if (state === 'failed' && sims.length === 0)
    return { ...rejectionReport('UNKNOWN', safeText`The order ended as failed`), supplierOrderId };
  return undefined;
}

/** The package that Airalo says it sold. `data` is text such as `1 GB`; `validity` counts days. */
function soldItem(row: unknown): SoldItem {
  const [, amount, unit] = /^([\d.]+)\s*(MB|GB)$/i.exec(textAt(row, 'data')?.trim() ?? '') ?? [];
  return {
    sku: textAt(row, 'package_id'),
    units: textAt(row, 'quantity'),
    validityDays: textAt(row, 'validity'),
    ...(amount !== undefined && {
      dataAmount: { amount, unit: unit?.toUpperCase() === 'MB' ? ('MB' as const) : ('GB' as const) },
    }),
  };
}

function orderStateOf(slug: string | undefined): AiraloOrderState | undefined {
  return orderStates.find((state) => state === slug);
}

function unitOf(sim: unknown): ReportedUnit {
  const texts = readTexts(['iccid', 'qrcode', 'confirmation_code'], sim);
  if (!texts) return unreadable(safeText`the eSIM is in another form`, sim);
  if (texts.confirmation_code) return unreadable(safeText`the eSIM needs a confirmation code`, sim);
  return esimUnit({ iccid: texts.iccid, activationCode: texts.qrcode });
}

/** What Airalo debits. `price` is the price for end customers, so it is never the cost. */
function costOf(row: unknown): { cost?: Money } {
  const { currency, total_amount_paid: paid, net_price: net } = read(costSchema, row) ?? {};
  const amount = paid ?? net;
  return currency !== undefined && amount !== undefined ? { cost: { amount, currency } } : {};
}

/** The rows of a page of the statement; undefined if a row cannot be read. */
export function readStatement(body: unknown): { ids: string[]; sales: SoldPurchase[] } | undefined {
  const orders = readRows(body);
  if (!orders) return undefined;
  const ids = orders.flatMap((order) => read(idSchema, order)?.id ?? []);
  const sales = orders.map(toStatementRows);
  if (ids.length !== orders.length || sales.includes(undefined)) return undefined;
  return { ids, sales: sales.flatMap((salesOfOrder) => salesOfOrder ?? []) };
}

const idSchema = Joi.object<{ id: string }>({ id: text.required() });
/** An order that we did not make may lack a description. Its id then replaces our reference. */
const soldOrderSchema = orderSchema.keys({ description: optionalText.default(Joi.ref('id')) });

/** An order in an unknown state counts as a sale. A partial refund has no cost, because the refunded amount is not known. */
function toStatementRows(row: unknown): SoldPurchase[] | undefined {
  const order = read(soldOrderSchema, row);
  if (!order) return undefined;
  const { id: supplierOrderId, description: reference, quantity = '1', created_at: createdAt = '' } = order;
  const state = orderStateOf(order.status?.slug);
  const units = /^\d{1,3}$/.test(quantity) ? Number(quantity) : 1;
  const sold = { reference, supplierOrderId, units, soldAt: timeOf(createdAt) ?? new Date(0) };
  const sale: SoldPurchase = { kind: 'sale', ...sold, ...costOf(row) };
  if (state === 'failed') return [];
  if (state === 'refunded') return [sale, { ...sale, kind: 'refund' }];
  return state === 'partially_refunded' ? [sale, { kind: 'refund', ...sold }] : [sale];
}

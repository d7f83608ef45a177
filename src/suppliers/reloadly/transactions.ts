/** Reloadly's transactions of gift cards, top-ups and bills. Each kind has its own form, and all give the same reports. */
import Joi from 'joi';
import type { ReportedUnit } from '../../domain/orders/goods';
import type { SoldItem } from '../../domain/orders/contradicting-sale';
import { safeText } from '../../domain/safe-text';
import { isoDate, optionalText, read, text, unreadable } from '../kit/messages';
import { decimalText } from '../kit/offers';
import { rejectionReport, type SupplierRejection } from '../kit/reports';
import { soldBill, soldGift, soldTopup } from './sold';
import type { Money, PurchaseReport, SoldPurchase } from '../../domain/suppliers/port';
import { statuses, toRejection, type Status } from './error-codes';

/** A transaction of any product. */
export interface Transaction {
  id: string;
  /** Our reference. Undefined if the transaction has none, so we did not make it. */
  reference: string | undefined;
  /** Undefined for a status that Reloadly does not document. */
  status: Status | undefined;
  /** Reloadly's code for the reason why the transaction ended without goods. */
  code?: string | undefined;
  cost: { cost?: Money };
  units: number;
  soldAt?: Date | undefined;
  /** The item that Reloadly says it sold, for an order with the SKU. Absent if the response does not describe it. */
  soldItem?: (sku: string) => SoldItem;
  /** The unit of a top-up or a bill; empty for gift cards, whose codes are read by another call. */
  goods: ReportedUnit[];
}

/** Text other than digits is rejected, because it could hold a code, and operators read the id. */
const id = text.pattern(/^\d{1,19}$/).required();
const anything = Joi.any();

interface GiftMessage {
  transactionId: string;
  status: string;
  customIdentifier?: string;
  amount?: unknown;
  currencyCode?: unknown;
  product?: { quantity?: number };
  transactionCreatedTime?: unknown;
}

const giftSchema = Joi.object<GiftMessage>({
  transactionId: id,
  status: text.required(),
  customIdentifier: optionalText,
  amount: anything,
  currencyCode: anything,
  product: Joi.object({ quantity: Joi.number().integer().positive().empty(null) }).empty(null),
  transactionCreatedTime: anything,
});

/** An order of gift cards. */
export function readGift(body: unknown): Transaction | undefined {
  const message = read(giftSchema, body);
  if (!message) return undefined;
  const { amount, currencyCode, product, transactionCreatedTime } = message;
  return {
    id: message.transactionId,
    reference: message.customIdentifier,
    status: statusOf(message.status),
    cost: costOf(amount, currencyCode),
    units: product?.quantity ?? 1,
    soldAt: read(isoDate, transactionCreatedTime),
    soldItem: (sku) => soldGift(body, sku),
    goods: [],
  };
}

interface TopupMessage {
  transactionId: string;
  status: string;
  customIdentifier?: string;
  operatorTransactionId?: string;
  transactionDate?: unknown;
  pinDetail?: unknown;
  balanceInfo?: unknown;
}

const topupSchema = Joi.object<TopupMessage>({
  transactionId: id,
  status: text.required(),
  customIdentifier: optionalText,
  operatorTransactionId: optionalText,
  transactionDate: anything,
  pinDetail: anything,
  balanceInfo: anything,
});

export function readTopup(body: unknown): Transaction | undefined {
  const message = read(topupSchema, body);
  if (!message) return undefined;
  return {
    id: message.transactionId,
    reference: message.customIdentifier,
    status: statusOf(message.status),
    cost: debitOf(message.balanceInfo),
    units: 1,
    soldAt: read(isoDate, message.transactionDate),
    soldItem: (sku) => soldTopup(body, sku),
    goods: [unitOf(message.operatorTransactionId, message.pinDetail)],
  };
}

const acceptedSchema = Joi.object<{ transactionId: string; customIdentifier?: string }>({
  transactionId: id,
  customIdentifier: optionalText,
});

/** The response to an asynchronous top-up, which need not repeat the reference. Its outcome comes later. */
export function readAccepted(body: unknown, reference: string): Transaction | undefined {
  const message = read(acceptedSchema, body);
  if (!message) return undefined;
  const { transactionId, customIdentifier = reference } = message;
  return { id: transactionId, reference: customIdentifier, status: 'PENDING', cost: {}, units: 1, goods: [] };
}

interface TopupStatusMessage {
  status: string;
  code?: string;
  transaction?: unknown;
}

const topupStatusSchema = Joi.object<TopupStatusMessage>({
  status: text.required(),
  code: optionalText,
  transaction: anything.empty(null),
});

/**
 * The status of a top-up, for which Reloadly documents two forms. An unfinished top-up may have no transaction. A successful one
 * without a transaction counts as unfinished, too: only the transaction shows whether there is a PIN.
 */
export function readTopupStatus(body: unknown, asked: { id: string; reference: string }) {
  const flat = readTopup(body);
  const message = read(topupStatusSchema, body);
  if (flat || !message) return flat;
  const { status, code, transaction } = message;
  if (transaction === undefined) {
    const known = statusOf(status);
    const reached = known === 'SUCCESSFUL' ? 'PENDING' : known;
    return { ...asked, status: reached, code, cost: {}, units: 1, goods: [] };
  }
  const inner = readTopup(transaction);
  return inner && inner.status === statusOf(status) ? { ...inner, code } : undefined;
}

interface BillMessage {
  id: string;
  status: string;
  referenceId?: string;
  code?: string;
  submittedAt?: unknown;
  balanceInfo?: unknown;
  billDetails?: { billerReferenceId?: string; pinDetails?: unknown };
}

const billSchema = Joi.object<BillMessage>({
  id,
  status: text.required(),
  referenceId: optionalText,
  code: optionalText,
  submittedAt: anything,
  balanceInfo: anything,
  billDetails: Joi.object({ billerReferenceId: optionalText, pinDetails: anything }).empty(null),
});

/** The response to a payment. */
export function readPayment(body: unknown): Transaction | undefined {
  const message = read(billSchema, body);
  if (!message) return undefined;
  const { billDetails, code } = message;
  return {
    id: message.id,
    reference: message.referenceId,
    status: statusOf(message.status),
    code,
    cost: debitOf(message.balanceInfo),
    units: 1,
    soldAt: read(isoDate, message.submittedAt),
    soldItem: (sku) => soldBill(body, sku),
    goods: [unitOf(billDetails?.billerReferenceId, billDetails?.pinDetails)],
  };
}

const billRowSchema = Joi.object<{ code?: string; transaction: unknown }>({
  code: optionalText,
  transaction: anything.required(),
});

/** A payment as a lookup shows it. */
export function readBill(body: unknown): Transaction | undefined {
  const row = read(billRowSchema, body);
  const transaction = row && readPayment(row.transaction);
  return transaction && { ...transaction, code: row.code };
}

/** The report of a transaction for an order with the SKU; undefined for a status that Reloadly does not document. */
export function toReport(transaction: Transaction, sku: string): PurchaseReport | undefined {
  const { id: supplierOrderId, status, code, cost, goods, soldItem } = transaction;
  switch (status) {
    case 'SUCCESSFUL':
      return { state: 'DELIVERED', supplierOrderId, ...cost, ...(soldItem && { sold: soldItem(sku) }), goods };
    case 'PROCESSING':
    case 'PENDING':
      return { state: 'PENDING', supplierOrderId, ...cost, goods: [] };
    case 'FAILED':
      return { ...toFailure(code), supplierOrderId };
    case 'REFUNDED':
      return { ...toRejection(code), supplierOrderId };
    case undefined:
      return undefined;
  }
}

/**
 * The report of a failed transaction. A temporary reason is a rejection, too, because Reloadly asks to wait for 30 minutes before
 * the same number is tried again. Another source then sells the unit, or the order fails.
 */
function toFailure(code: string | undefined): SupplierRejection {
  const rejection = toRejection(code, 'OPERATOR_UNAVAILABLE');
  if (rejection.state !== 'NOT_BOUGHT' || rejection.because !== 'temporary') return rejection;
  return rejectionReport('OPERATOR_UNAVAILABLE', rejection.detail);
}

/**
 * The row of the statement for a transaction; none if it was made before `since` or did not succeed, because Reloadly debits only
 * successful ones. Includes a transaction with an unreadable time. The id replaces a missing reference.
 */
export function toStatementRows(transaction: Transaction, since: Date): SoldPurchase[] {
  const { id: supplierOrderId, reference = supplierOrderId, status, cost, units } = transaction;
  const { soldAt = new Date(0) } = transaction;
  if (status !== 'SUCCESSFUL') return [];
  if (transaction.soldAt && soldAt < since) return [];
  return [{ kind: 'sale', reference, supplierOrderId, units, ...cost, soldAt }];
}

function statusOf(word: string): Status | undefined {
  return statuses.find((status) => status === word);
}

/** A PIN is a code for the customer. The proof of a top-up has no field for a PIN, so an operator must see it. */
function unitOf(operatorReference?: string, pin?: unknown): ReportedUnit {
  if (isFilled(pin)) return unreadable(safeText`there is a PIN that a top-up cannot deliver`, pin);
  return { kind: 'topup', ...(operatorReference !== undefined && { operatorReference }) };
}

function isFilled(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(isFilled);
  return value !== undefined && value !== null && value !== '';
}

/** Read separately, because a price in another form must not hide the goods. */
const moneySchema = Joi.object<{ amount: string; currency: string }>({
  amount: decimalText.required(),
  currency: text.pattern(/^[A-Z]{3}$/).required(),
});

function costOf(amount: unknown, currency: unknown): { cost?: Money } {
  const cost = read(moneySchema, { amount, currency });
  return cost ? { cost } : {};
}

const debitSchema = Joi.object<{ cost?: unknown; currencyCode?: unknown }>({ cost: anything, currencyCode: anything });

/** The amount that Reloadly debited from our account. */
function debitOf(balanceInfo: unknown): { cost?: Money } {
  const debit = read(debitSchema, balanceInfo);
  return costOf(debit?.cost, debit?.currencyCode);
}

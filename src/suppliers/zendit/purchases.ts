/** Zendit's purchases, each of one unit, and the reports that follow from them. */
import Joi from 'joi';
import type { RechargedProfile, ReportedUnit } from '../../domain/orders/goods';
import type { SoldItem, StatedAmount } from '../../domain/orders/contradicting-sale';
import { safeText } from '../../domain/safe-text';
import { esimUnit, isoDate, read, readTexts, rechargeUnit, text, unreadable, voucherUnit } from '../kit/messages';
import { ambiguous, rejectionReport, rejectedWith, type SupplierRejection } from '../kit/reports';
import { fieldAt, skuOfSold, stated, textAt } from '../kit/sold';
import type {
  LookupReport,
  Money,
  NotBought,
  PurchaseLookup,
  PurchaseReport,
  SoldPurchase,
} from '../../domain/suppliers/port';
import { codes, errorCodes, INSUFFICIENT_FUNDS, meaningOf, type StateMeaning } from './error-codes';
import { moneyOf } from './messages';

/** A purchase. Fields of type `unknown` are read one by one later, so that a damaged field does not hide the state. */
interface PurchaseMessage {
  transactionId: string;
  status: string;
  createdAt?: unknown;
  error?: unknown;
  refund?: unknown;
  confirmation?: unknown;
  receipt?: unknown;
  cost?: unknown;
  costCurrency?: unknown;
  costCurrencyDivisor?: unknown;
}

const purchaseSchema = Joi.object<PurchaseMessage>({
  transactionId: text.required(),
  status: text.required(),
  createdAt: Joi.any(),
  error: Joi.any(),
  refund: Joi.any(),
  confirmation: Joi.any(),
  receipt: Joi.any(),
  cost: Joi.any(),
  costCurrency: Joi.any(),
  costCurrencyDivisor: Joi.any(),
});
const acceptedSchema = Joi.object<{ transactionId?: unknown; status: string }>({
  transactionId: Joi.any(),
  status: text.required(),
});
const shownSchema = Joi.object<{ transactionId: string }>({ transactionId: text.required() });
const costSchema = Joi.object<Record<'amount' | 'currency' | 'currencyDivisor', string>>({
  amount: text.required(),
  currency: text.required(),
  currencyDivisor: text.required(),
});

/**
 * Zendit's `transactionId` for our reference. Zendit does not document its maximum length, but UUIDs with dashes are used.
 * Therefore a reference that is longer than a UUID loses its prefix `order-`.
 */
export function transactionIdOf(reference: string): string {
  return reference.length <= UUID_LENGTH ? reference : reference.replace(/^order-/, '');
}

const UUID_LENGTH = 36;

/** Our reference for a `transactionId`. The `transactionId` of a purchase that we did not make is returned unchanged. */
export function referenceOf(transactionId: string): string {
  return /^\d+-[0-9a-z]+-x\d{9}$/.test(transactionId) ? `order-${transactionId}` : transactionId;
}

/** Reads a purchase from a lookup, a statement or a webhook. */
export function readPurchase(body: unknown): PurchaseMessage | undefined {
  return read(purchaseSchema, body);
}

/**
 * The report of a response to a purchase: pending in every documented state, even a final one, because only a lookup shows the
 * goods and the reason of a failure. A purchase with another reference than ours is pending, too: no lookup finds it, so
 * after an unknown outcome the service would buy again. Undefined for any other response.
 */
export function readAccepted(body: unknown, reference: string): PurchaseReport | undefined {
  const message = read(acceptedSchema, body);
  if (!message || meaningOf(message.status) === undefined) return undefined;
  const { transactionId: id } = message;
  const isOtherId = typeof id === 'string' && id !== transactionIdOf(reference) && readableId.test(id);
  return { state: 'PENDING', ...(isOtherId && { supplierOrderId: id }), goods: [] };
}

/** An id without free text, because operators read it. */
const readableId = /^[\w.-]{1,64}$/;

/** The result of a lookup. Undefined if the response does not show our reference, so that it belongs to another lookup. */
export function readLookup(body: unknown, lookup: PurchaseLookup): LookupReport | undefined {
  const { reference } = lookup;
  if (read(shownSchema, body)?.transactionId !== transactionIdOf(reference)) return undefined;
  const message = readPurchase(body);
  if (!message) return ambiguous(safeText`The supplier shows no state`);
  const report = reportOf(message, lookup);
  return report.state === 'DELIVERED' ? { ...report, sold: soldItem(body, lookup) } : report;
}

/**
 * The offer that Zendit says it sold. The value that arrives (`send`) is the face value of an offer with one amount; of a range,
 * Zendit computes it from the requested value. Zendit does not document the fields with its currency and divisor.
 */
function soldItem(body: unknown, { sku }: PurchaseLookup): SoldItem {
  const [kind, , currency, divisor] = sku.split(':');
  const sent = valueOf(body, ['send', 'sendCurrency', 'sendCurrencyDivisor']);
  const receipt = valueOf(fieldAt(body, 'receipt'), ['send', 'currency', 'currencyDivisor']);
  const isValueSent = textAt(body, 'value', 'type') === 'ZEND';
  const requested = isValueSent ? moneyOf(textAt(body, 'value', 'value'), currency, divisor) : undefined;
  const gigabytes = textAt(body, 'dataGB');
  return {
    sku: skuOfSold(sku, textAt(body, 'offerId')),
    recipients: [textAt(body, 'recipientPhoneNumber')],
    faceValues: stated(requested ?? {}, ...(kind === 'fixed' ? [sent, receipt] : [])),
    computedValues: stated(...(kind === 'range' ? [sent, receipt] : [])),
    ...(gigabytes !== undefined && { dataAmount: { amount: gigabytes, unit: 'GB' as const } }),
    validityDays: textAt(body, 'durationDays'),
  };
}

/** The money in the fields for amount, currency and divisor; empty unless all three are readable. */
function valueOf(body: unknown, fields: readonly [string, string, string]): StatedAmount {
  const [amount, currency, divisor] = fields.map((field) => textAt(body, field));
  return moneyOf(amount, currency, divisor) ?? {};
}

/** What was bought: a recharge names the profile. */
type BoughtGoods = Pick<PurchaseLookup, 'family' | 'recharged'>;

function reportOf(message: PurchaseMessage, bought: BoughtGoods): LookupReport {
  switch (meaningOf(message.status)) {
    case 'open':
      return { state: 'PENDING', ...commonOf(message), goods: [] };
    case 'done':
      if (isReversed(message)) return { state: 'REVERSED' };
      return { state: 'DELIVERED', ...commonOf(message), goods: [unitOf(message, bought)] };
    case 'failed':
      return showsGoods(message, bought)
        ? ambiguous(safeText`The supplier shows goods of a purchase that failed`)
        : { ...failureOf(message), supplierOrderId: message.transactionId };
    case undefined:
      return ambiguous(safeText`The supplier shows a state that is not documented`);
  }
}

/** Whether a refund was requested and has not failed. Operators then look at the purchase. */
export function isReversed(message: PurchaseMessage): boolean {
  const refund = refundOf(message);
  return refund !== undefined && refund !== 'failed';
}

/** Zendit has no id of its own for a purchase, so `transactionId` is the supplier's order id. */
function commonOf(message: PurchaseMessage): { supplierOrderId: string; cost?: Money } {
  return { supplierOrderId: message.transactionId, ...costOf(message) };
}

/** The report of a final failure: Zendit returns the reserved money, and the purchase keeps its reference. */
function failureOf({ error }: PurchaseMessage): SupplierRejection {
  const code = readTexts(['code'], error)?.code ?? '';
  return rejectionReportOf(code, code === INSUFFICIENT_FUNDS ? 'our-account' : undefined);
}

/** The report of a code with which nothing was bought. `because`: set if the reason is not the order itself. */
export function rejectionReportOf(code: string, because?: NotBought['because']): SupplierRejection {
  return rejectionReport(errorCodes[code]?.failureCode ?? 'UNKNOWN', rejectedWith(codes, code), because);
}

/** The state of the refund; undefined without one. Zendit documents no states for refunds. One that no purchase has is `unknown`. */
function refundOf({ refund }: PurchaseMessage): StateMeaning | 'unknown' | undefined {
  if (refund === undefined || refund === null) return undefined;
  const texts = readTexts(['status'], refund);
  if (!texts) return 'unknown';
  return texts.status === undefined ? undefined : (meaningOf(texts.status) ?? 'unknown');
}

/** Whether the purchase shows goods that a customer could use. The confirmation of a top-up or a recharge does not prove that. */
function showsGoods(message: PurchaseMessage, bought: BoughtGoods): boolean {
  return !['unreadable', 'topup', 'recharge'].includes(unitOf(message, bought).kind);
}

function unitOf({ confirmation, receipt }: PurchaseMessage, { family, recharged }: BoughtGoods): ReportedUnit {
  switch (family) {
    case 'VOUCHER':
      return voucherOf(receipt);
    case 'TOPUP':
      return topupOf(confirmation);
    case 'ESIM':
      return esimOf(confirmation, recharged);
  }
}

/** Zendit does not say what `voucherId` is. It is shown as the reference number, in case the shop asks for it. */
function voucherOf(receipt: unknown): ReportedUnit {
  const fields = ['epin', 'redemptionUrl', 'voucherId', 'confirmationNumber', 'expiresAt'] as const;
  const texts = readTexts(fields, receipt ?? {});
  if (!texts) return unreadable(safeText`its receipt has another form`, receipt);
  const { epin, redemptionUrl, voucherId, confirmationNumber, expiresAt } = texts;
  return voucherUnit({
    cardNumber: epin,
    claimUrl: redemptionUrl,
    referenceNumber: voucherId ?? confirmationNumber,
    expiresAt,
  });
}

/** A top-up without a readable confirmation has been delivered all the same. */
function topupOf(confirmation: unknown): ReportedUnit {
  const { confirmationNumber, externalReferenceId } =
    readTexts(['confirmationNumber', 'externalReferenceId'], confirmation) ?? {};
  const operatorReference = confirmationNumber ?? externalReferenceId;
  return { kind: 'topup', ...(operatorReference !== undefined && { operatorReference }) };
}

/** The profile, or the recharge of one, whose confirmation repeats the ICCID. */
function esimOf(confirmation: unknown, recharged: RechargedProfile | undefined): ReportedUnit {
  const texts = readTexts(['iccid', 'activationCode', 'smdpAddress'], confirmation ?? {});
  if (!texts) return unreadable(safeText`its confirmation has another form`, confirmation);
  const { iccid, activationCode = '', smdpAddress = '' } = texts;
  const profile = { iccid, activationCode: lpaString(activationCode.trim(), smdpAddress.trim()) };
  return recharged ? rechargeUnit(recharged, profile) : esimUnit(profile);
}

/**
 * The LPA string. Zendit does not say whether `activationCode` is the whole string or the matching id. A matching id has no
 * `$` (GSMA SGP.22, section 4.1). Without an address, the code stays as it is, and the service rejects it.
 */
function lpaString(activationCode: string, smdpAddress: string): string {
  const isMatchingId = activationCode !== '' && smdpAddress !== '' && !activationCode.includes('$');
  return isMatchingId ? `LPA:1$${smdpAddress}$${activationCode}` : activationCode;
}

/** The amount that Zendit debits, with all fees. It needs its own currency and divisor: a purchase names several currencies. */
function costOf({ cost, costCurrency, costCurrencyDivisor }: PurchaseMessage): { cost?: Money } {
  const own = read(costSchema, cost);
  const money = own
    ? moneyOf(own.amount, own.currency, own.currencyDivisor)
    : moneyOf(cost, costCurrency, costCurrencyDivisor);
  return money ? { cost: money } : {};
}

/** One row of the statement. `key` distinguishes two purchases with one reference, and is the same on every page. */
export interface StatementRow {
  key: string;
  sold: SoldPurchase;
}

/** The rows of the statement for one purchase: a sale, and a refund if it was refunded; none unless the purchase is done. */
export function readSold(row: unknown): StatementRow[] | undefined {
  const message = readPurchase(row);
  if (!message) return undefined;
  if (meaningOf(message.status) !== 'done') return [];
  const soldAt = read(isoDate, message.createdAt) ?? new Date(0);
  const sold = { reference: referenceOf(message.transactionId), ...commonOf(message), units: 1, soldAt };
  const kinds = refundOf(message) === 'done' ? (['sale', 'refund'] as const) : (['sale'] as const);
  return kinds.map((kind) => ({ key: `${kind} ${identityOf(message)}`, sold: { kind, ...sold } }));
}

function identityOf({ transactionId, createdAt, confirmation, receipt }: PurchaseMessage): string {
  const numbers = [confirmation, receipt].map((part) => readTexts(['confirmationNumber'], part)?.confirmationNumber);
  return JSON.stringify([transactionId, createdAt, ...numbers]);
}

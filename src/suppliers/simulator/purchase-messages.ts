/** The simulator's messages about purchases, and their reports. */
import { isDeepStrictEqual } from 'node:util';
import Joi from 'joi';
import { isFailureCode } from '../../domain/orders/failure-codes';
import type { ReportedUnit } from '../../domain/orders/goods';
import type { SoldItem } from '../../domain/orders/contradicting-sale';
import { safeText } from '../../domain/safe-text';
import {
  count,
  esimUnit,
  isoDate,
  MAX_ROWS,
  optionalText,
  read,
  readTexts,
  rechargeUnit,
  text,
  unreadable,
  voucherUnit,
} from '../kit/messages';
import type { SupplierPage } from '../kit/limits';
import { rejectionReport, rejectedWith, type SupplierRejection } from '../kit/reports';
import { textAt } from '../kit/sold';
import { RawSupplierResponse, type PurchaseReport, type PurchaseRequest } from '../../domain/suppliers/port';
import { codes } from './messages';

/** What was bought: a recharge names the profile. */
type BoughtGoods = Pick<PurchaseRequest, 'family' | 'recharged'>;

/** A purchase. Its units are read one by one, so that a damaged unit does not affect the others. */
export interface PurchaseMessage {
  id: string;
  reference: string;
  /** DELIVERED, PENDING, REJECTED, CANCELLED, REVERSED, or an unknown status. */
  status: string;
  failure_code?: string;
  sku?: unknown;
  units?: unknown;
  goods: unknown[];
}

interface SoldMessage {
  id: string;
  reference: string;
  units: number;
  sold_at: Date;
}

const unitFields = [
  'card_number',
  'pin_code',
  'claim_url',
  'expires_at',
  'reference_number',
  'operator_reference',
  'iccid',
  'activation_code',
] as const;

/** Free text is rejected, because it could hold a code, and operators read the id. */
const purchaseId = text.pattern(/^P[0-9a-f]{18}$/).required();

const purchaseSchema = Joi.object<PurchaseMessage>({
  id: purchaseId,
  reference: text.required(),
  status: text.required(),
  failure_code: optionalText,
  sku: Joi.any(),
  units: Joi.any(),
  goods: Joi.array().max(MAX_ROWS).required(),
});

const rowsSchema = Joi.object<{ purchases: unknown[] }>({ purchases: Joi.array().required() });

const statementSchema = Joi.object<{ purchases: SoldMessage[]; total_pages: number }>({
  purchases: Joi.array()
    .items({
      id: purchaseId,
      reference: text.required(),
      units: Joi.number().integer().min(0).required(),
      sold_at: isoDate.required(),
    })
    .max(MAX_ROWS)
    .required(),
  total_pages: count,
});

export function readPurchase(body: unknown): PurchaseMessage | undefined {
  return read(purchaseSchema, body);
}

/**
 * The purchase with exactly this reference, or the first two that differ; equal rows count once. Ignores longer references with
 * this prefix, which the simulator lists, too. Undefined if a row has any other reference: the response then belongs to another
 * lookup, so it does not prove that this purchase is missing.
 */
export function readPurchases(body: unknown, reference: string): PurchaseMessage[] | undefined {
  const rows = read(rowsSchema, body)?.purchases;
  const names = rows?.map((row) => readTexts(['reference'], row)?.reference);
  if (!rows || !names?.every((name) => name?.startsWith(reference))) return undefined;
  const [first, ...others] = rows.filter((_, index) => names[index] === reference);
  if (first === undefined) return [];
  // Two different rows are enough for the result, so each row is compared only with the first.
  const other = others.find((row) => !isDeepStrictEqual(row, first));
  const distinct = other === undefined ? [first] : [first, other];
  const messages = distinct.flatMap((row) => readPurchase(row) ?? []);
  return messages.length === distinct.length ? messages : undefined;
}

export function readStatementPage(body: unknown): SupplierPage<SoldMessage> | undefined {
  const page = read(statementSchema, body);
  return page && { items: page.purchases, totalPages: page.total_pages };
}

/** The report of a purchase message. Undefined for an unknown status, and for `REVERSED`, which only a lookup reports. */
export function toReport(message: PurchaseMessage, bought: BoughtGoods): PurchaseReport | undefined {
  const { id: supplierOrderId, status, failure_code: code = 'UNKNOWN' } = message;
  const goods = message.goods.map((unit) => toUnit(bought, unit));
  switch (status) {
    case 'DELIVERED':
    case 'PENDING':
      return { state: status, supplierOrderId, sold: soldItem(message), goods };
    case 'REJECTED':
      return {
        ...rejected(code),
        ...(!isFailureCode(code) && { rawResponse: new RawSupplierResponse(code) }),
        supplierOrderId,
        goods,
      };
    case 'CANCELLED':
      return { ...rejectionReport('UNKNOWN', safeText`Taken back before delivery`), supplierOrderId, goods };
    default:
      return undefined;
  }
}

function soldItem(message: PurchaseMessage): SoldItem {
  return { sku: textAt(message, 'sku'), units: textAt(message, 'units') };
}

/** A final rejection without goods. A code that is not one of ours becomes UNKNOWN. */
export function rejected(code: string): SupplierRejection {
  return rejectionReport(isFailureCode(code) ? code : 'UNKNOWN', rejectedWith(codes, code));
}

/** One unit, unreadable if its fields have other types. */
function toUnit({ family, recharged }: BoughtGoods, body: unknown): ReportedUnit {
  const unit = readTexts(unitFields, body);
  if (!unit) return unreadable(safeText`its fields are not of the types they should be`, body);
  switch (family) {
    case 'VOUCHER':
      return voucherUnit({
        cardNumber: unit.card_number,
        pinCode: unit.pin_code,
        claimUrl: unit.claim_url,
        expiresAt: unit.expires_at,
        referenceNumber: unit.reference_number,
      });
    case 'TOPUP':
      return { kind: 'topup', ...(unit.operator_reference && { operatorReference: unit.operator_reference }) };
    case 'ESIM': {
      const profile = { iccid: unit.iccid, activationCode: unit.activation_code };
      return recharged ? rechargeUnit(recharged, profile) : esimUnit(profile);
    }
  }
}

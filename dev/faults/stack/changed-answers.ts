/**
 * Changes one field of a supplier's valid responses. A change of a sale applies to responses with one of our references, and a
 * change of a list price to the others.
 */
import type { AnswerChange } from '../plan/answer-changes';
import type { Family } from '../plan/orders';
import type { SupplierName } from '../plan/suppliers';
import { referencesIn } from './supplier-calls';

interface Field {
  /** The text before the value, and the value. */
  pattern: RegExp;
  /** The value in its place. */
  instead: (value: string) => string;
  /** The families of which the field describes a sale. */
  families: readonly Family[];
}

const all: readonly Family[] = ['VOUCHER', 'TOPUP', 'ESIM'];

const describing = (pattern: RegExp, families: readonly Family[], instead = another): Field => ({
  pattern,
  instead,
  families,
});
/** Ten times the value or more; of a text, another one. */
const another = (value: string): string => `9${value}`;
const anotherRecipient = (digits: string): string => (digits === '000' ? '111' : '000');

const cost = (pattern: RegExp): Partial<Record<AnswerChange, Field>> => ({
  cost: describing(pattern, all, (value) => String(Math.round(Number(value) * 500) / 100)),
  'impossible cost': describing(pattern, all, () => '999999999999999'),
});

const fields: Readonly<Record<SupplierName, Partial<Record<AnswerChange, Field>>>> = {
  simulator: {
    product: describing(/("sku":")(\w)/g, all),
    quantity: describing(/("units":)(\d)/g, all),
    'list price': describing(/("price":")(\d)/g, all),
  },
  dtone: {
    product: describing(/("product":\{"id":)(\d)/g, all),
    'face value': describing(/("destination":\{[^{}]*"amount":)(\d)/g, ['VOUCHER', 'TOPUP']),
    currency: describing(/("destination":\{[^{}]*"unit":)("[A-Z]{3}")/g, ['VOUCHER', 'TOPUP'], () => '"TRY"'),
    recipient: describing(/("(?:mobile|account)_number":"\+?\d*)(\d{3})(?=")/g, ['TOPUP'], anotherRecipient),
    plan: describing(/("unit":"GB","amount":)(\d)/g, ['ESIM']),
    ...cost(/("wholesale":\{[^{}]*"amount":)([\d.]+)/g),
    'list price': describing(/("(?:wholesale|retail)":\{[^{}]*"amount":)(\d)/g, all),
  },
  reloadly: {
    product: describing(/("(?:productId|operatorId|billerId)":)(\d)/g, all),
    quantity: describing(/("quantity":)(\d)/g, ['VOUCHER']),
    'face value': describing(/("(?:unitPrice|requestedAmount)":)(\d)/g, ['VOUCHER', 'TOPUP']),
    currency: describing(/("unitPrice":[^{}]*"currencyCode":)("[A-Z]{3}")/g, ['VOUCHER'], () => '"TRY"'),
    recipient: describing(/("(?:recipientPhone|accountNumber)":"\d*)(\d{3})(?=")/g, ['TOPUP'], anotherRecipient),
    ...cost(/("(?:cost|transactionId":\d+,"amount)":)([\d.]+)/g),
    'list price': describing(/("(?:senderFee|international|localTransactionFee)":)(\d)/g, all),
  },
  zendit: {
    product: describing(/("offerId":")(\w)/g, all),
    'face value': describing(/("(?:send|value)":)(\d)/g, ['VOUCHER', 'TOPUP']),
    recipient: describing(/("recipientPhoneNumber":"\+?\d*)(\d{3})(?=")/g, ['TOPUP'], anotherRecipient),
    plan: describing(/("(?:dataGB|durationDays)":)(\d)/g, ['ESIM']),
    ...cost(/("cost":)(\d+)/g),
    'list price': describing(/("(?:cost|price)":\{[^{}]*"fixed":)(\d)/g, all),
  },
  airalo: {
    product: describing(/("package_id":")(\w)/g, all),
    quantity: describing(/("quantity":"?)(\d)/g, all),
    plan: describing(/("data":")(\d)/g, all),
    ...cost(/("net_price":)([\d.]+)/g),
    'list price': describing(/("(?:net_)?price":)(\d)/g, all),
  },
};

/** The changes after which goods of the family contradict the order. */
export function contradicts(supplier: SupplierName, change: AnswerChange, family: Family): boolean {
  const isPrice = change === 'cost' || change === 'impossible cost' || change === 'list price';
  return !isPrice && fields[supplier][change]?.families.includes(family) === true;
}

/** The response with the change; the same text if it states no such field. */
export function changedAnswer(supplier: SupplierName, change: AnswerChange, text: string): string {
  const field = fields[supplier][change];
  const isList = change === 'list price';
  if (!field || isList === referencesIn(text).length > 0) return text;
  return text.replaceAll(field.pattern, (_all, before: string, value: string) => before + field.instead(value));
}

/** Whether the response says what was sold. */
export function describesSale(supplier: SupplierName, text: string): boolean {
  return fields[supplier].product !== undefined && text.search(fields[supplier].product.pattern) >= 0;
}

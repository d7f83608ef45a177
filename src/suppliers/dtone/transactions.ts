/** DT One's transactions, each of one unit, and the reports that follow from them. */
import Joi from 'joi';
import type { ReportedUnit } from '../../domain/orders/goods';
import { Exact } from '../../domain/prices/money';
import { safeText, safeWord } from '../../domain/safe-text';
import {
  esimUnit,
  isoDate,
  MAX_ROWS,
  optionalText,
  read,
  rechargeUnit,
  text,
  unreadable,
  voucherUnit,
} from '../kit/messages';
import { ambiguous, rejectionReport, severalRows, type SupplierRejection } from '../kit/reports';
import type { LookupReport, Money, PurchaseReport, SoldPurchase } from '../../domain/suppliers/port';
import { failureCodeOf, INSUFFICIENT_BALANCE, stateClassOf, stateWords, type StateClass } from './error-codes';
import { optional, priceOf } from './prices';
import { soldItem, type Ordered } from './sold';

interface TransactionMessage {
  id: string;
  external_id: string;
  creation_date?: unknown;
  status: { message: string; class: { id: string } };
  operator_reference?: string;
  pin?: { code?: string; serial?: string };
  metadata?: { profile?: { iccid?: string; activation_code?: string } };
  prices?: unknown;
}

const transactionSchema = Joi.object<TransactionMessage>({
  // Text other than digits is rejected, because it could hold a code, and operators read the id.
  id: text.pattern(/^\d{1,19}$/).required(),
  external_id: text.required(),
  creation_date: Joi.any(),
  status: Joi.object({ message: text.required(), class: Joi.object({ id: text.required() }).required() }).required(),
  operator_reference: optionalText,
  pin: optional(Joi.object({ code: optionalText, serial: optionalText })),
  metadata: optional(
    Joi.object({ profile: optional(Joi.object({ iccid: optionalText, activation_code: optionalText })) }),
  ),
  prices: Joi.any(),
});

/** A transaction that we did not make may lack a reference. Its id then replaces the reference. */
const soldSchema = transactionSchema.keys({ external_id: optionalText.default(Joi.ref('id')) });

const listSchema = Joi.array<unknown[]>().max(MAX_ROWS);

/** A transaction in the form of the port. */
export interface Transaction {
  id: string;
  reference: string;
  /** Undefined for a class that DT One does not document. */
  state: StateClass | undefined;
  message: TransactionMessage;
  /** The response, from which the description of the sale is read. */
  body: unknown;
}

export function readTransaction(body: unknown, schema = transactionSchema): Transaction | undefined {
  const message = read(schema, body);
  if (!message) return undefined;
  const { id, external_id: reference, status } = message;
  return { id, reference, state: stateClassOf(status.class.id), message, body };
}

/** The rows of a page of the statement; undefined if a row cannot be read. */
export function readStatement(body: unknown): SoldPurchase[] | undefined {
  return readTransactions(body, soldSchema)?.flatMap(toStatementRows);
}

/** A list of transactions; undefined if a transaction cannot be read. */
function readTransactions(body: unknown, schema = transactionSchema): Transaction[] | undefined {
  const rows = read(listSchema, body);
  const transactions = rows?.flatMap((row) => readTransaction(row, schema) ?? []);
  return transactions?.length === rows?.length ? transactions : undefined;
}

/** The transactions of a search for the reference. Undefined if a row shows that the response belongs to another search. */
export function readFound(body: unknown, reference: string): Transaction[] | undefined {
  const found = readTransactions(body);
  return found?.every((one) => one.reference === reference) ? found : undefined;
}

/** The report of a transaction. Undefined if DT One reversed the transaction, or does not document its state. */
export function toReport(transaction: Transaction, ordered: Ordered): PurchaseReport | undefined {
  const { id: supplierOrderId, state, message, body } = transaction;
  switch (state) {
    case 'CREATED':
    case 'CONFIRMED':
    case 'SUBMITTED':
      return { state: 'PENDING', supplierOrderId, ...costOf(message), goods: [] };
    case 'COMPLETED':
      return {
        state: 'DELIVERED',
        supplierOrderId,
        ...costOf(message),
        sold: soldItem(body, ordered),
        goods: [unitOf(message, ordered)],
      };
    case 'REJECTED':
    case 'DECLINED':
    case 'CANCELLED':
      return { ...rejectionOf(message.status.message), supplierOrderId };
    case 'REVERSED':
    case undefined:
      return undefined;
  }
}

export function toLookupReport(found: readonly Transaction[], ordered: Ordered): LookupReport {
  const [transaction, ...others] = found;
  if (!transaction) return { state: 'NOT_FOUND' };
  if (others.length > 0) return ambiguous(severalRows(found.length));
  if (transaction.state === 'REVERSED') return { state: 'REVERSED' };
  return toReport(transaction, ordered) ?? ambiguous(safeText`The supplier shows a state that is not documented`);
}

/** The rows of the statement: a reversed transaction is a sale and a refund, and an unfinished one gives no row. */
function toStatementRows(transaction: Transaction): SoldPurchase[] {
  const { id: supplierOrderId, reference, state, message } = transaction;
  const soldAt = read(isoDate, message.creation_date) ?? new Date(0);
  const row = { reference, supplierOrderId, units: 1, ...costOf(message), soldAt };
  const sale: SoldPurchase = { kind: 'sale', ...row };
  if (state === 'COMPLETED') return [sale];
  return state === 'REVERSED' ? [sale, { kind: 'refund', ...row }] : [];
}

/** The report of a transaction that ended without goods: its reference is used up. `word`: the final state's message. */
function rejectionOf(word: string): SupplierRejection {
  const detail = safeText`Refused: ${safeWord(stateWords, word) ?? safeText`no known state`}`;
  return rejectionReport(failureCodeOf(word), detail, word === INSUFFICIENT_BALANCE ? 'our-account' : undefined);
}

function unitOf(
  { pin, metadata, operator_reference: reference }: TransactionMessage,
  { family, recharged }: Ordered,
): ReportedUnit {
  switch (family) {
    case 'VOUCHER':
      return voucherUnit({ cardNumber: pin?.code, referenceNumber: pin?.serial });
    case 'TOPUP':
      // A PIN is a code for the customer. The proof of a top-up has no field for a PIN, so an operator must see it.
      if (pin?.code !== undefined || pin?.serial !== undefined)
        return unreadable(safeText`there is a PIN that a top-up cannot deliver`, pin);
      return { kind: 'topup', ...(reference && { operatorReference: reference }) };
    case 'ESIM': {
      const profile = {
        iccid: metadata?.profile?.iccid ?? pin?.serial,
        activationCode: metadata?.profile?.activation_code,
      };
      return recharged === undefined ? esimUnit(profile) : rechargeUnit(recharged, profile);
    }
  }
}

/** The amount that DT One debits: its wholesale price and its fee. Undefined unless both are decimals in a currency. */
function costOf({ prices }: TransactionMessage): { cost?: Money } {
  const price = priceOf(prices, 'wholesale');
  if (!price) return {};
  return { cost: { amount: new Exact(price.fixed).plus(price.fee).toFixed(), currency: price.currency } };
}

/** Top-ups: the request, the price, the transaction. */
import { Decimal } from 'decimal.js';
import Joi from 'joi';
import type { FakeContext } from '../kit/fake';
import { rounded } from '../kit/money';
import { ACCOUNT_CURRENCY } from '../kit/account';
import { plainTime } from '../kit/times';
import { viewDebit } from './balances';
import { apiError, sentenceOf } from './errors';
import { operatorIdOf, topupPinOf } from './goods';
import { bodyOf, digitsOf, viewReference } from './http';
import { operators, type Operator } from './operator-catalogue';
import { delivered } from './operator-views';
import { checkedRecipient, type Phone } from './phones';
import { isFinal, type Draft, type Shop, type Transaction } from './transactions';

interface TopupBody {
  operatorId: number;
  amount: number;
  useLocalAmount?: boolean;
  customIdentifier?: string | null;
  recipientPhone: Phone;
  senderPhone?: Phone | null;
  recipientEmail?: string | null;
}

export interface TopupDetails {
  readonly operator: Operator;
  readonly topup: TopupBody;
  /** The recipient's number without the country's code. */
  readonly national: string;
  /** The value in US dollars, before discount and fees. */
  readonly value: Decimal;
  readonly discount: Decimal;
  readonly fee: Decimal;
}

export type TopupTransaction = Transaction<TopupDetails>;

const phoneSchema = Joi.object<Phone>({ countryCode: Joi.string().required(), number: Joi.string().required() });
const topupSchema = Joi.object<TopupBody>({
  operatorId: Joi.number().integer().required(),
  amount: Joi.number().required(),
  useLocalAmount: Joi.boolean(),
  customIdentifier: Joi.string().max(150).allow(null),
  recipientPhone: phoneSchema.required(),
  senderPhone: phoneSchema.allow(null),
  recipientEmail: Joi.string().allow(null),
});

export function topupSku(operatorId: unknown): string {
  return `topup:${String(operatorId)}`;
}

export const skuOf = ({ id }: Operator): string => topupSku(id);

/** Checks and prices the top-up. Throws a rejection. */
export function draftTopup(body: unknown): Draft<TopupDetails> {
  const topup = bodyOf(topupSchema, body);
  const operator = operators.find(({ id }) => id === topup.operatorId);
  if (!operator) throw apiError('OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE');
  const national = checkedRecipient(topup.recipientPhone, operator);
  if (topup.senderPhone && !/^\+?\d{6,15}$/.test(topup.senderPhone.number)) throw apiError('INVALID_SENDER_PHONE');
  if (operator.isEmailRequired && !topup.recipientEmail)
    throw apiError('INVALID_INPUT_PROVIDED', 'recipientEmail is required.');
  checkAmount(topup, operator);
  return priced(topup, operator, national);
}

function checkAmount({ amount, useLocalAmount = false }: TopupBody, operator: Operator): void {
  if (amount <= 0) throw apiError('INVALID_AMOUNT');
  if (useLocalAmount && !operator.supportsLocalAmounts) throw apiError('LOCAL_AMOUNTS_NOT_SUPPORTED_BY_OPERATOR');
  const { amounts } = operator;
  const isOffered = useLocalAmount ? isLocalAmount(amounts, amount) : isAmount(amounts, amount);
  if (!isOffered) throw apiError(useLocalAmount ? 'INVALID_LOCAL_AMOUNT_FOR_OPERATOR' : 'INVALID_AMOUNT_FOR_OPERATOR');
}

function isAmount(amounts: Operator['amounts'], amount: number): boolean {
  return 'min' in amounts ? amount >= amounts.min && amount <= amounts.max : amounts.fixed.includes(amount);
}

function isLocalAmount(amounts: Operator['amounts'], amount: number): boolean {
  return 'min' in amounts
    ? amount >= amounts.localMin && amount <= amounts.localMax
    : amounts.localFixed.includes(amount);
}

/** The price: `S*(1 - discount) + fees`. Every operator is abroad, so the international discount and fees apply. */
function priced(topup: TopupBody, operator: Operator, national: string): Draft<TopupDetails> {
  if (operator.rate === undefined) throw apiError('FX_RATE_NOT_AVAILABLE');
  const value = new Decimal(topup.amount).dividedBy(topup.useLocalAmount ? operator.rate : 1);
  const discount = value.times(operator.discount).dividedBy(100);
  const fee = value.times(operator.feePercentage).dividedBy(100).plus(operator.fee);
  return {
    sku: topupSku(operator.id),
    reference: topup.customIdentifier ?? undefined,
    units: 1,
    cost: rounded(value.minus(discount).plus(fee)),
    details: { operator, topup, national, value, discount, fee },
  };
}

/** Throws PHONE_RECENTLY_RECHARGED for a number that this operator recharged within the limit. */
export function checkRecentRecharge(
  shop: Shop<TopupDetails>,
  { details: { operator, national } }: Draft<TopupDetails>,
  limitSeconds: number,
): void {
  const since = Date.now() - limitSeconds * 1_000;
  const isRecent = shop
    .list()
    .some(
      ({ createdAt, status, details }) =>
        createdAt > since &&
        status !== 'FAILED' &&
        status !== 'REFUNDED' &&
        details.national === national &&
        details.operator.network === operator.network,
    );
  if (isRecent) throw apiError('PHONE_RECENTLY_RECHARGED');
}

/** The row of a report. */
export function viewTopup({ modes }: FakeContext, transaction: TopupTransaction, status: string): object {
  const { id, sku, reference, details } = transaction;
  const { operator, topup, national, discount, fee, value } = details;
  const { numbers } = modes.of(sku);
  const isDelivered = transaction.status === 'SUCCESSFUL';
  const hasPin = isDelivered && operator.kind === 'pin';
  const deliveredAmount = topup.useLocalAmount ? topup.amount : delivered(operator, value);
  return {
    transactionId: id,
    status,
    operatorTransactionId: isDelivered ? operatorIdOf(id, numbers) : null,
    customIdentifier: viewReference(reference, numbers),
    recipientPhone: digitsOf(`${operator.network.dial}${national}`, numbers),
    recipientEmail: topup.recipientEmail ?? null,
    senderPhone: topup.senderPhone ? digitsOf(topup.senderPhone.number, numbers) : null,
    countryCode: operator.network.country.isoName,
    operatorId: operator.id,
    operatorName: operator.name,
    discount: rounded(discount).toNumber(),
    discountCurrencyCode: ACCOUNT_CURRENCY,
    requestedAmount: topup.amount,
    requestedAmountCurrencyCode: topup.useLocalAmount ? operator.currency : ACCOUNT_CURRENCY,
    deliveredAmount: isDelivered ? deliveredAmount : 0,
    deliveredAmountCurrencyCode: operator.currency,
    fee: rounded(fee).toNumber(),
    transactionDate: plainTime(transaction.createdAt),
    pinDetail: hasPin ? topupPinOf(id, `${deliveredAmount} ${operator.currency}`, numbers) : null,
    balanceInfo: isDelivered ? viewDebit(transaction.debit) : null,
  };
}

/**
 * The status of an asynchronous top-up. An error code is in `code` with the status FAILED. Before the final state,
 * `transaction` is null.
 */
export function viewTopupStatus(context: FakeContext, transaction: TopupTransaction, status: string): object {
  const { code } = transaction;
  return {
    code,
    message: code === null ? `The transaction is ${status.toLowerCase()}.` : sentenceOf(code),
    status,
    transaction: isFinal(transaction.status) ? viewTopup(context, transaction, status) : null,
  };
}

/** Payments of bills: the request, the price, the transaction. */
import { Decimal } from 'decimal.js';
import Joi from 'joi';
import type { FakeContext } from '../kit/fake';
import { rounded } from '../kit/money';
import { ACCOUNT_CURRENCY } from '../kit/account';
import { dayMs, plainTime, timeOrNull } from '../kit/times';
import { viewDebit } from './balances';
import { billers, type Biller, type BillTerms } from './biller-catalogue';
import { apiError, sentenceOf } from './errors';
import { billerReferenceOf, meterTokenOf } from './goods';
import { bodyOf, digitsOf, viewReference } from './http';
import { isFinal, type Draft, type Transaction } from './transactions';

interface PayBody {
  subscriberAccountNumber: string;
  amount: number;
  billerId: number;
  useLocalAmount?: boolean;
  referenceId?: string | null;
  amountId?: number | null;
  additionalInfo?: { invoiceId?: string } | null;
}

export interface BillDetails {
  readonly biller: Biller;
  readonly payment: PayBody;
  /** The value in US dollars, before discount and fee. */
  readonly value: Decimal;
  readonly discount: Decimal;
  readonly fee: Decimal;
}

export type BillTransaction = Transaction<BillDetails>;

const paySchema = Joi.object<PayBody>({
  subscriberAccountNumber: Joi.string().required(),
  amount: Joi.number().required(),
  billerId: Joi.number().integer().required(),
  useLocalAmount: Joi.boolean(),
  referenceId: Joi.string().allow(null),
  amountId: Joi.number().integer().allow(null),
  additionalInfo: Joi.object({ invoiceId: Joi.string() }).allow(null),
});

export function billSku(billerId: unknown): string {
  return `bill:${String(billerId)}`;
}

export const skuOf = ({ id }: Biller): string => billSku(id);

/** Checks and prices the payment. Throws a rejection. */
export function draftPayment(body: unknown): Draft<BillDetails> {
  const payment = bodyOf(paySchema, body);
  const biller = billers.find(({ id }) => id === payment.billerId);
  if (!biller) throw apiError('INVALID_BILLER_ID');
  const { useLocalAmount = false, amount, amountId, additionalInfo } = payment;
  const terms = useLocalAmount ? biller.local : biller.international;
  if (!terms) throw apiError('INVALID_INPUT_PROVIDED', 'The biller does not accept this currency.');
  if (biller.requiresInvoice && !additionalInfo?.invoiceId)
    throw apiError('INVALID_INPUT_PROVIDED', 'additionalInfo.invoiceId is required.');
  if (biller.fixed) {
    if (amountId === undefined || amountId === null) throw apiError('MISSING_REQUIRED_AMOUNT_ID');
    if (biller.fixed[amountId] !== amount) throw apiError('INVALID_AMOUNT');
  }
  if (amount < terms.min || amount > terms.max) throw apiError('INVALID_AMOUNT');
  return priced(payment, biller, terms);
}

/** The price. The documentation has no formula for bills, so that of top-ups applies, with fee and amount in one currency. */
function priced(payment: PayBody, biller: Biller, { fee, discount }: BillTerms): Draft<BillDetails> {
  const inDollars = (amount: Decimal.Value): Decimal =>
    new Decimal(amount).dividedBy(payment.useLocalAmount ? biller.rate : 1);
  const value = inDollars(payment.amount);
  const discounted = value.times(discount).dividedBy(100);
  return {
    sku: billSku(biller.id),
    reference: payment.referenceId ?? undefined,
    units: 1,
    cost: rounded(value.minus(discounted).plus(inDollars(fee))),
    details: { biller, payment, value, discount: discounted, fee: inDollars(fee) },
  };
}

/** The biller as listed. One biller has `countryCode` in place of `countryIsoCode`, as in a later example of the documentation. */
export function viewBiller(biller: Biller): object {
  const { id, name, country, type, serviceType, local, international, fixed } = biller;
  const isFixed = fixed !== undefined;
  return {
    id,
    name,
    [id === 303 ? 'countryCode' : 'countryIsoCode']: country,
    type,
    serviceType,
    localAmountSupported: local !== undefined,
    localTransactionCurrencyCode: biller.currency,
    minLocalTransactionAmount: isFixed ? null : (local?.min ?? null),
    maxLocalTransactionAmount: isFixed ? null : (local?.max ?? null),
    localTransactionFee: Number(local?.fee ?? 0),
    localDiscountPercentage: Number(local?.discount ?? 0),
    internationalAmountSupported: international !== undefined,
    internationalTransactionCurrencyCode: ACCOUNT_CURRENCY,
    minInternationalTransactionAmount: international?.min ?? null,
    maxInternationalTransactionAmount: international?.max ?? null,
    internationalTransactionFee: Number(international?.fee ?? 0),
    internationalDiscountPercentage: Number(international?.discount ?? 0),
    requiresInvoice: biller.requiresInvoice,
    fx: { rate: Number(biller.rate), currencyCode: biller.currency },
  };
}

/** The response to a payment: normally PROCESSING. */
export function viewAccepted({ modes }: FakeContext, transaction: BillTransaction, status: string): object {
  const { id, sku, createdAt, reference } = transaction;
  return {
    id,
    status,
    referenceId: viewReference(reference, modes.of(sku).numbers),
    ...viewCode(transaction),
    submittedAt: plainTime(createdAt),
    finalStatusAvailabilityAt: plainTime(createdAt + dayMs),
  };
}

/** The row of a report. */
export function viewPayment(context: FakeContext, transaction: BillTransaction, status: string): object {
  const { id, sku, createdAt, reference, endedAt, details } = transaction;
  const { biller, payment, value, discount, fee } = details;
  const { numbers } = context.modes.of(sku);
  const isPaid = transaction.status === 'SUCCESSFUL';
  const hasToken = isPaid && biller.serviceType === 'PREPAID' && biller.type === 'ELECTRICITY_BILL_PAYMENT';
  return {
    ...viewCode(transaction),
    transaction: {
      id,
      status,
      referenceId: viewReference(reference, numbers),
      amount: payment.amount,
      amountCurrencyCode: payment.useLocalAmount ? biller.currency : ACCOUNT_CURRENCY,
      deliveryAmount: value.times(biller.rate).toDecimalPlaces(2).toNumber(),
      deliveryAmountCurrencyCode: biller.currency,
      fee: rounded(fee).toNumber(),
      feeCurrencyCode: ACCOUNT_CURRENCY,
      discount: rounded(discount).toNumber(),
      discountCurrencyCode: ACCOUNT_CURRENCY,
      submittedAt: plainTime(createdAt),
      balanceInfo: viewDebit(transaction.debit),
      billDetails: {
        type: biller.type,
        billerId: biller.id,
        billerName: biller.name,
        billerCountryCode: biller.country,
        serviceType: biller.serviceType,
        completedAt: timeOrNull(endedAt, plainTime),
        billerReferenceId: isPaid ? billerReferenceOf(id, numbers) : null,
        subscriberDetails: {
          accountNumber: digitsOf(payment.subscriberAccountNumber, numbers),
          invoiceId: payment.additionalInfo?.invoiceId ?? null,
        },
        pinDetails: hasToken ? { token: meterTokenOf(id, numbers), info1: null, info2: null, info3: null } : null,
      },
    },
  };
}

/** The code of a payment. It is documented for an unfinished payment, but not for a successful one, whose code is null. */
function viewCode({ status, code }: BillTransaction): object {
  const shown = isFinal(status) ? code : 'PAYMENT_PROCESSING_IN_PROGRESS';
  const message = shown === null ? `The payment is ${status.toLowerCase()}.` : sentenceOf(shown);
  return { code: shown, message };
}

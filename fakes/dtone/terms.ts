/** Whether a product can be bought as requested, and at which amounts. */
import { Decimal } from 'decimal.js';
import { rounded } from '../kit/money';
import { phoneNumber } from '../kit/requests';
import { ApiError } from './errors';
import { partyNames, type CalculationMode, type Product, type Quantity, type Range } from './products';
import type { RequestedValue, TransactionRequest } from './requests';

/** The exact amounts of one transaction. The price is in the currency of our account. */
export interface Amounts {
  readonly source: Decimal;
  readonly destination: Decimal;
  readonly wholesale: Decimal;
  readonly fee: Decimal;
}

/** Throws if the request lacks a required field, or if a phone number is not valid. */
export function checkParties(product: Product, request: TransactionRequest): void {
  for (const name of partyNames) {
    const alternatives = product.required[name] ?? [];
    const given: object = request[name] ?? {};
    const isComplete = alternatives.some((fields) => fields.every((field) => field in given));
    if (alternatives.length === 0 || isComplete) continue;
    const sets = alternatives.map((fields) => fields.join(', ')).join(' or ');
    throw new ApiError(1000400, `${name} requires ${sets}`);
  }
  checkNumber(request.credit_party_identifier?.mobile_number, 1005003);
  checkNumber(request.debit_party_identifier?.['mobile_number'], 1006003);
  checkNumber(request.sender?.['mobile_number'], 1005503);
  checkNumber(request.beneficiary?.['mobile_number'], 1006503);
}

function checkNumber(number: unknown, code: number): void {
  const isValid = typeof number === 'string' && phoneNumber.test(number);
  if (number !== undefined && !isValid) throw new ApiError(code);
}

/** The amounts of the request. `factor` multiplies the price. Throws if the product does not have this amount. */
export function amountsOf(product: Product, request: TransactionRequest, factor: number): Amounts {
  const { source, destination, prices } = product;
  const fee = new Decimal(prices.wholesale.fee);
  const listed = product.accepted_calculation_modes
    ? rangedAmounts(product, product.accepted_calculation_modes, request)
    : fixedAmounts([source, destination, prices.wholesale], request);
  return { ...listed, wholesale: rounded(listed.wholesale.times(factor)), fee: rounded(fee.times(factor)) };
}

type ListedAmounts = Omit<Amounts, 'fee'>;

/** The amounts of a product with one amount. Throws if the request names an amount: only ranged products accept one. */
function fixedAmounts(
  quantities: readonly [source: Quantity, destination: Quantity, wholesale: Quantity],
  { calculation_mode, source, destination }: TransactionRequest,
): ListedAmounts {
  if (calculation_mode !== undefined || source !== undefined || destination !== undefined) {
    throw new ApiError(1000400, 'calculation_mode, source and destination are for ranged products');
  }
  const [sent, received, price] = quantities;
  return { source: amountIn(sent), destination: amountIn(received), wholesale: amountIn(price) };
}

function amountIn({ amount }: Quantity): Decimal {
  if (typeof amount !== 'number') throw new Error('A fixed product has one amount.');
  return new Decimal(amount);
}

function rangedAmounts(
  { rates, ...product }: Product,
  accepted: readonly CalculationMode[],
  request: TransactionRequest,
): ListedAmounts {
  const { calculation_mode: mode } = request;
  if (mode === undefined || !accepted.includes(mode)) {
    throw new ApiError(1000400, `calculation_mode must be one of ${accepted.join(', ')}`);
  }
  const isSource = mode === 'SOURCE_AMOUNT';
  const other = isSource ? request.destination : request.source;
  if (other !== undefined) throw new ApiError(1000400, `${mode} has one amount`);
  const amount = checkedAmount(
    isSource ? request.source : request.destination,
    isSource ? product.source : product.destination,
  );
  const source = isSource ? amount : rounded(amount.div(rates.base));
  const destination = isSource ? rounded(amount.times(rates.base)) : amount;
  return { source, destination, wholesale: rounded(destination.div(rates.wholesale)) };
}

function checkedAmount(value: RequestedValue | undefined, listed: Quantity): Decimal {
  if (value === undefined) throw new ApiError(1000400, 'source or destination is required');
  if (value.unit_type !== listed.unit_type || value.unit !== listed.unit) throw new ApiError(1003003);
  const amount = new Decimal(value.amount);
  const range = listed.amount;
  if (typeof range === 'number' || !isInRange(amount, range)) throw new ApiError(1003002);
  return amount;
}

function isInRange(amount: Decimal, { min, max, increment }: Range): boolean {
  if (amount.lt(min) || amount.gt(max)) return false;
  return increment === undefined || amount.minus(min).mod(increment).isZero();
}

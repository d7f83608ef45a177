/** The request that buys an order. The SKU decides the product line, the path and the fields. */
import { byWord } from '../../domain/by-word';
import { Exact } from '../../domain/prices/money';
import { safeText, type SafeText } from '../../domain/safe-text';
import type { PurchaseRequest } from '../../domain/suppliers/port';
import type { ProductLine } from './connections';

export interface Order {
  line: ProductLine;
  path: SafeText;
  body: object;
}

/** A required field. Reloadly shows it in its own mails, which we do not order. */
const SENDER = 'Digital Goods';

/** The product line of the SKU; undefined for a SKU of another supplier. */
export function lineOf(sku: string): ProductLine | undefined {
  const lines = byWord<ProductLine>({ gift: 'giftcards', topup: 'topups', bill: 'utilities' });
  return lines[sku.split(':', 1)[0] ?? ''];
}

/** The request for the order. Undefined if the SKU, the amount and the input do not fit each other. */
export function orderOf(request: PurchaseRequest): Order | undefined {
  if (request.family === 'VOUCHER') return giftOrder(request);
  return request.family === 'TOPUP' ? (topupOrder(request) ?? billOrder(request)) : undefined;
}

const amount = String.raw`\d{1,12}(?:\.\d{1,8})?`;
const currencyCode = '([A-Z]{3})';
const giftSku = new RegExp(`^gift:(\\d{1,15}):${currencyCode}(?::(${amount}))?$`);
const topupSku = new RegExp(`^topup:(\\d{1,15}):([A-Z]{2}):${currencyCode}(?::(${amount}))?$`);
const billSku = new RegExp(`^bill:(\\d{1,15}):${currencyCode}(?::(${amount})(?::(\\d{1,15}))?)?$`);

/** `gift:<product id>:<currency>[:<unit price>]`. */
function giftOrder(request: PurchaseRequest): Order | undefined {
  const { reference, sku, units, unitValue } = request;
  const [, product, skuCurrency, skuAmount] = giftSku.exec(sku) ?? [];
  if (product === undefined || !hasValueOfSku(request, skuCurrency, skuAmount)) return undefined;
  const body = {
    productId: Number(product),
    quantity: units,
    unitPrice: Number(unitValue),
    senderName: SENDER,
    customIdentifier: reference,
  };
  return { line: 'giftcards', path: safeText`/orders`, body };
}

/**
 * `topup:<operator id>:<country>:<currency>[:<amount>]`. The amount is in the operator's currency. Operators that accept only
 * amounts in our account's currency are not sold: the amount that arrives would depend on the exchange rate. The asynchronous
 * call answers at once; a slow operator can hold the synchronous one for a minute.
 */
function topupOrder(request: PurchaseRequest): Order | undefined {
  const { reference, sku, unitValue, input: { phone_number: phone } = {} } = request;
  const [, operator, country, skuCurrency, skuAmount] = topupSku.exec(sku) ?? [];
  if (operator === undefined || !phone || !hasValueOfSku(request, skuCurrency, skuAmount)) return undefined;
  const body = {
    operatorId: Number(operator),
    amount: Number(unitValue),
    useLocalAmount: true,
    customIdentifier: reference,
    recipientPhone: { countryCode: country, number: phone },
  };
  return { line: 'topups', path: safeText`/topups-async`, body };
}

/** `bill:<biller id>:<currency>[:<amount>[:<amount id>]]`. The amount is in the biller's currency. Fixed amounts have ids. */
function billOrder(request: PurchaseRequest): Order | undefined {
  const { reference, sku, unitValue, input: { account_number: account } = {} } = request;
  const [, biller, skuCurrency, skuAmount, amountId] = billSku.exec(sku) ?? [];
  if (biller === undefined || !account || !hasValueOfSku(request, skuCurrency, skuAmount)) return undefined;
  const body = {
    subscriberAccountNumber: account,
    amount: Number(unitValue),
    billerId: Number(biller),
    useLocalAmount: true,
    referenceId: reference,
    ...(amountId !== undefined && { amountId: Number(amountId) }),
  };
  return { line: 'utilities', path: safeText`/pay`, body };
}

/**
 * Whether the order has the currency of the SKU, and the amount of the SKU if it names one. Requests to Reloadly name no currency,
 * so an order in another currency would buy another value.
 */
function hasValueOfSku(
  { currency, unitValue }: PurchaseRequest,
  skuCurrency: string | undefined,
  skuAmount: string | undefined,
) {
  return currency === skuCurrency && (skuAmount === undefined || new Exact(skuAmount).equals(unitValue));
}

/**
 * What Reloadly says it sold. An amount in the currency of the order repeats the ordered amount. Reloadly may write the amount of a
 * top-up or a bill in the currency of our account instead, which says nothing about the ordered amount.
 */
import type { SoldItem, StatedAmount } from '../../domain/orders/contradicting-sale';
import { skuOfSold, stated, textAt } from '../kit/sold';

export function soldGift(body: unknown, sku: string): SoldItem {
  const [amount, currency] = [textAt(body, 'product', 'unitPrice'), textAt(body, 'product', 'currencyCode')];
  return {
    sku: skuOfSold(sku, textAt(body, 'product', 'productId')),
    units: textAt(body, 'product', 'quantity'),
    faceValues: stated({ amount, currency }),
  };
}

/** The delivered amount is the operator's: without its taxes and fees. */
export function soldTopup(body: unknown, sku: string): SoldItem {
  const [, , , currency] = sku.split(':');
  return {
    sku: skuOfSold(sku, textAt(body, 'operatorId')),
    recipients: [textAt(body, 'recipientPhone')],
    faceValues: inCurrency(currency, amountAt(body, 'requestedAmount', 'requestedAmountCurrencyCode')),
    computedValues: stated(amountAt(body, 'deliveredAmount', 'deliveredAmountCurrencyCode')),
  };
}

export function soldBill(body: unknown, sku: string): SoldItem {
  const [, , currency] = sku.split(':');
  return {
    sku: skuOfSold(sku, textAt(body, 'billDetails', 'billerId')),
    recipients: [textAt(body, 'billDetails', 'subscriberDetails', 'accountNumber')],
    faceValues: inCurrency(currency, amountAt(body, 'amount', 'amountCurrencyCode')),
    computedValues: stated(amountAt(body, 'deliveryAmount', 'deliveryAmountCurrencyCode')),
  };
}

function amountAt(body: unknown, amount: string, currency: string): StatedAmount {
  return { amount: textAt(body, amount), currency: textAt(body, currency) };
}

/** The amount if it is in the currency. */
function inCurrency(currency: string | undefined, amount: StatedAmount): StatedAmount[] {
  return amount.currency?.trim().toUpperCase() === currency ? [amount] : [];
}

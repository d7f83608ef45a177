/** What DT One says that it sold. */
import type { SoldItem, StatedAmount } from '../../domain/orders/contradicting-sale';
import { fieldAt, skuOfSold, stated, textAt } from '../kit/sold';
import type { PurchaseLookup } from '../../domain/suppliers/port';
import { daysIn } from './plans';

/** The part of the ordered item that a lookup names. */
export type Ordered = Pick<PurchaseLookup, 'family' | 'sku' | 'recharged'>;

/**
 * The item that DT One says it sold. A product with one amount has that amount as its value. Of a product that takes the ordered
 * amount, DT One repeats the requested amount and may adjust it.
 */
export function soldItem(body: unknown, { family, sku }: Ordered): SoldItem {
  const requested = moneyAt(body, 'requested_values', 'destination');
  const adjusted = moneyAt(body, 'adjusted_values', 'destination');
  const isFixed = sku.startsWith('fixed:');
  return {
    sku: skuOfSold(sku, textAt(body, 'product', 'id')),
    recipients: ['mobile_number', 'account_number'].map((name) => textAt(body, 'credit_party_identifier', name)),
    ...(family === 'ESIM'
      ? planIn(body)
      : {
          faceValues: stated(requested, ...(isFixed ? [adjusted, moneyAt(body, 'product', 'destination')] : [])),
          computedValues: stated(...(isFixed ? [creditIn(body)] : [adjusted])),
        }),
  };
}

/** An amount of money; empty for another unit and for a range. */
function moneyAt(body: unknown, ...path: readonly string[]): StatedAmount {
  const unitType = textAt(body, ...path, 'unit_type');
  if (unitType !== undefined && unitType !== 'CURRENCY') return {};
  return { amount: textAt(body, ...path, 'amount'), currency: textAt(body, ...path, 'unit') };
}

/** The credit of the recipient, from which an operator may deduct tax; empty if the recipient gets several benefits. */
function creditIn(body: unknown): StatedAmount {
  const [benefit, ...others] = benefitsIn(body);
  const isCredit = others.length === 0 && textAt(benefit, 'unit_type') === 'CURRENCY';
  return isCredit ? { amount: amountOf(benefit), currency: textAt(benefit, 'unit') } : {};
}

/** The size of a plan with one data benefit, and its validity in days. */
function planIn(body: unknown): SoldItem {
  const [data, ...others] = benefitsIn(body).filter((benefit) => textAt(benefit, 'type') === 'DATA');
  const [amount, unit] = [amountOf(data), textAt(data, 'unit')];
  const isKnown = others.length === 0 && amount !== undefined && (unit === 'MB' || unit === 'GB');
  const [quantity, period] = ['quantity', 'unit'].map((name) => textAt(body, 'product', 'validity', name));
  const days = quantity !== undefined && period !== undefined ? daysIn({ quantity, unit: period }) : undefined;
  return {
    ...(isKnown && { dataAmount: { amount, unit } }),
    ...(days !== undefined && { validityDays: String(days) }),
  };
}

function benefitsIn(body: unknown): readonly unknown[] {
  const benefits = fieldAt(body, 'benefits');
  return Array.isArray(benefits) ? benefits : [];
}

/** A product names the parts of a benefit's amount, and a transaction may name only its sum. */
function amountOf(benefit: unknown): string | undefined {
  return textAt(benefit, 'amount', 'base') ?? textAt(benefit, 'amount');
}

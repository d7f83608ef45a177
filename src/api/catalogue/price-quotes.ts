/**
 * The charges result of the three families, and its schemas. Vouchers swap source and destination currency, as the contract
 * demands. docs/specification.md#charges-result.
 */
import { toJsonNumber } from '../../domain/prices/money';
import type { Pricing } from '../../domain/prices/pricing';
import { amount, count, currency, model, object, orNull, type SchemaFields } from '../openapi/schema';

/** The conversion fields are null if both currencies are equal. */
export function voucherChargesView(pricing: Pricing, maxQuantity: number) {
  const conversion = conversionView(pricing);
  return {
    ...totalsView(pricing),
    gst_amount: toJsonNumber(pricing.containedGst),
    net_amount: conversion?.net_amount ?? null,
    handling_fee_amount: conversion?.handling_fee_amount ?? null,
    total_payable: toJsonNumber(pricing.price),
    max_quantity: maxQuantity,
    charges_details: {
      source_currency: pricing.walletCurrency,
      destination_currency: pricing.productCurrency,
      forex_rate: conversion?.forex_rate ?? null,
      conversion_fee: conversion?.conversion_fee ?? null,
    },
  };
}

/** Top-ups and eSIMs. The conversion fields are omitted if both currencies are equal. */
export function variantChargesView(pricing: Pricing) {
  const conversion = conversionView(pricing);
  return {
    ...totalsView(pricing),
    ...(conversion && { net_amount: conversion.net_amount, handling_fee_amount: conversion.handling_fee_amount }),
    total_payable: toJsonNumber(pricing.price),
    charges_details: {
      source_currency: pricing.productCurrency,
      destination_currency: pricing.walletCurrency,
      ...(conversion && { forex_rate: conversion.forex_rate, conversion_fee: conversion.conversion_fee }),
    },
  };
}

function totalsView(pricing: Pricing) {
  return {
    non_discounted_total: toJsonNumber(pricing.listTotal),
    discount_amount: toJsonNumber(pricing.discount),
    total_amount: toJsonNumber(pricing.discountedTotal),
    discount: toJsonNumber(pricing.discountPercent),
  };
}

function conversionView({ converted }: Pricing) {
  return (
    converted && {
      net_amount: toJsonNumber(converted.total),
      handling_fee_amount: toJsonNumber(converted.handlingFee),
      forex_rate: toJsonNumber(converted.rate),
      conversion_fee: toJsonNumber(converted.feePercent),
    }
  );
}

const totals: SchemaFields = {
  non_discounted_total: amount("The list total (face value times quantity), in the product's currency.", 10),
  discount_amount: amount('The discount as an amount.', 0.2),
  total_amount: amount('The list total less the discount.', 9.8),
  discount: amount('Your discount in percent; 0 without one.', 2),
};

const payable: SchemaFields = {
  total_payable: amount("The price, which the order debits, in the wallet's currency.", 9.8),
};

const converted: SchemaFields = {
  net_amount: amount("`total_amount` in the wallet's currency.", 9.02),
  handling_fee_amount: amount('Always 0.', 0),
};

const rates: SchemaFields = {
  forex_rate: amount("The exchange rate from the product's currency to the wallet's.", 0.92),
  conversion_fee: amount('The conversion fee in percent of the converted total.', 2),
};

const nullableFields = (fields: SchemaFields): SchemaFields =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, orNull(field)]));

export const voucherCharges = model('VoucherCharges', 'The exact price of a voucher order.', {
  ...totals,
  gst_amount: amount('The tax contained in `total_amount`. It is never added.', 0),
  ...nullableFields(converted),
  ...payable,
  max_quantity: count('The maximum quantity of one order.', 100),
  charges_details: {
    ...object({
      source_currency: currency("The wallet's currency.", 'EUR'),
      destination_currency: currency("The product's currency."),
      ...nullableFields(rates),
    }),
    description: 'The conversion.',
  },
});

export const variantCharges = model(
  'Charges',
  'The exact price of a top-up or eSIM order.',
  {
    ...totals,
    ...payable,
    charges_details: {
      ...object(
        {
          source_currency: currency("The product's currency."),
          destination_currency: currency("The wallet's currency.", 'EUR'),
        },
        rates,
      ),
      description: 'The conversion.',
    },
  },
  converted,
);

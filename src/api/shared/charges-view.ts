/**
 * The charges result of the three families. docs/specification.md#charges-result: its table says which
 * fields top-ups and eSIMs leave out and vouchers show as null.
 */
import { toJsonNumber } from '../../domain/prices/money';
import type { Pricing } from '../../domain/prices/pricing';

export type ChargesView = ReturnType<typeof voucherChargesView> | ReturnType<typeof variantChargesView>;

/** Vouchers: every field is there, null if there is no conversion. */
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

/** Top-ups and eSIMs: the fields of a conversion are there only where there is one. */
export function variantChargesView(pricing: Pricing) {
  const conversion = conversionView(pricing);
  return {
    ...totalsView(pricing),
    ...(conversion && {
      net_amount: conversion.net_amount,
      handling_fee_amount: conversion.handling_fee_amount,
    }),
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

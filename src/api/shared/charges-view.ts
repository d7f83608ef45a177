/**
 * The charges result of the three families. Specification, "Charges result": its table says which
 * fields top-ups and eSIMs leave out and vouchers show as null.
 */
import { toJsonNumber } from '../../domain/money';
import type { Price } from '../../domain/pricing';

export type ChargesView = ReturnType<typeof voucherChargesView> | ReturnType<typeof variantChargesView>;

/** Vouchers: every field is there, null where there is no conversion. */
export function voucherChargesView(price: Price, maxQuantity: number) {
  const conversion = conversionView(price);
  return {
    ...totalsView(price),
    gst_amount: toJsonNumber(price.gstAmount),
    net_amount: conversion?.net_amount ?? null,
    handling_fee_amount: conversion?.handling_fee_amount ?? null,
    total_payable: toJsonNumber(price.totalPayable),
    max_quantity: maxQuantity,
    charges_details: {
      source_currency: price.walletCurrency,
      destination_currency: price.productCurrency,
      forex_rate: conversion?.forex_rate ?? null,
      conversion_fee: conversion?.conversion_fee ?? null,
    },
  };
}

/** Top-ups and eSIMs: the fields of a conversion are there only where there is one. */
export function variantChargesView(price: Price) {
  const conversion = conversionView(price);
  return {
    ...totalsView(price),
    ...(conversion && {
      net_amount: conversion.net_amount,
      handling_fee_amount: conversion.handling_fee_amount,
    }),
    total_payable: toJsonNumber(price.totalPayable),
    charges_details: {
      source_currency: price.productCurrency,
      destination_currency: price.walletCurrency,
      ...(conversion && { forex_rate: conversion.forex_rate, conversion_fee: conversion.conversion_fee }),
    },
  };
}

function totalsView(price: Price) {
  return {
    non_discounted_total: toJsonNumber(price.nonDiscountedTotal),
    discount_amount: toJsonNumber(price.discountAmount),
    total_amount: toJsonNumber(price.totalAmount),
    discount: toJsonNumber(price.discountPercent),
  };
}

function conversionView({ converted }: Price) {
  return (
    converted && {
      net_amount: toJsonNumber(converted.netAmount),
      handling_fee_amount: toJsonNumber(converted.handlingFeeAmount),
      forex_rate: toJsonNumber(converted.forexRate),
      conversion_fee: toJsonNumber(converted.feePercent),
    }
  );
}

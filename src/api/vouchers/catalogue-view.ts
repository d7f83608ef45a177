import type { VoucherListing } from '../../data/catalogue/vouchers';
import { Exact, toJsonNumber } from '../../domain/prices/money';

/** A voucher product as the list shows it. docs/specification.md#voucher-product. */
export function voucherView({ product, clientDiscountPercent }: VoucherListing) {
  return {
    id: product.id,
    name: product.name,
    category: product.category.name,
    sub_category: product.subcategory?.name ?? null,
    country_code: product.countryCode,
    currency_code: product.currencyCode,
    image_url: product.imageUrl,
    delivery_mode: product.deliveryMode,
    delivery_time: product.deliveryTime,
    validity: product.validity,
    redeemable: product.redeemable,
    available_denominations: product.denominations.map((denomination) => ({
      min_value: toJsonNumber(denomination.minValue),
      max_value: toJsonNumber(denomination.maxValue),
      // What can be redeemed costs its face value: docs/decisions/0024-let-a-voucher-pay.md.
      discount: product.redeemable
        ? 0
        : toJsonNumber(Exact.max(denomination.discountPercent, clientDiscountPercent ?? 0)),
    })),
  };
}

/** The product with what only its detail shows. */
export function voucherDetailView(listing: VoucherListing) {
  const { terms, details, howToUse } = listing.product;
  return { ...voucherView(listing), terms, details, how_to_use: howToUse };
}

import type { EsimListing } from '../../data/catalogue/esims';
import type { EsimProduct } from '../../data/catalogue/catalogue-models';
import { toJsonNumber } from '../../domain/prices/money';

/** An eSIM product as the list shows it. docs/specification.md#esim-product. */
export function esimView(product: EsimProduct) {
  return {
    id: product.id,
    name: product.name,
    country_code: product.countryCode,
    currency_code: product.currencyCode,
    image_url: product.imageUrl,
  };
}

/** An eSIM variant as lists show it. docs/specification.md#esim-variant. */
export function esimVariantView({ variant, clientDiscountPercent }: EsimListing) {
  return {
    id: variant.id,
    esim_product_id: variant.productId,
    name: variant.name,
    ...(variant.description !== null && { description: variant.description }),
    currency_code: variant.currencyCode,
    amount: toJsonNumber(variant.amount),
    data_amount_gb: toJsonNumber(variant.dataAmountGb),
    validity_days: variant.validityDays,
    client_discount: toJsonNumber(clientDiscountPercent ?? 0),
  };
}

/** The variant with what else its supplier told of it. docs/specification.md#esim-products-variants-charges. */
export function esimVariantDetailView(listing: EsimListing) {
  const { regions, networks, isRechargeable, activationPolicy } = listing.variant;
  return {
    ...esimVariantView(listing),
    regions,
    networks,
    is_rechargeable: isRechargeable,
    ...(activationPolicy !== null && { activation_policy: activationPolicy }),
  };
}

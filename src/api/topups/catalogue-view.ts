import type { TopupVariant } from '../../data/catalogue/topups';
import type { TopupProduct } from '../../data/catalogue/catalogue-models';
import { toJsonNumber } from '../../domain/prices/money';

/** A top-up product as the list shows it. docs/specification.md#top-up-product. */
export function topupView(product: TopupProduct) {
  return {
    id: product.id,
    name: product.name,
    topup_type: product.topupType,
    country_code: product.countryCode,
    currency_code: product.currencyCode,
    image_url: product.imageUrl,
  };
}

/** The product with what it asks of the customer. */
export function topupDetailView(product: TopupProduct) {
  return { ...topupView(product), input_fields: product.inputFields };
}

/** The keys of `fields` that are for customers; suppliers' prices and routing never leave the service. */
const customerField = /^(par_value|delivery_time|validity_days|validity_unit|tag|benefit_\w+)$/;

/** A top-up variant; bounds or fixed amounts, whichever it has. docs/specification.md#top-up-variant. */
export function topupVariantView(variant: TopupVariant) {
  const { unit, minAmount, maxAmount, fixedAmounts } = variant;
  return {
    id: variant.id,
    name: variant.name,
    category: variant.category,
    currency_code: variant.currencyCode,
    ...(unit !== null && { unit }),
    ...(minAmount !== null && { min_amount: toJsonNumber(minAmount) }),
    ...(maxAmount !== null && { max_amount: toJsonNumber(maxAmount) }),
    ...(fixedAmounts !== null && { fixed_amounts: fixedAmounts }),
    available_in: variant.availableIn,
    fields: variant.fields.filter(isForCustomers).map(fieldView),
  };
}

type Field = TopupVariant['fields'][number];

/** A `par_value` is for customers where it is the bare number that clients are promised. */
function isForCustomers({ key, value }: Field): boolean {
  return customerField.test(key) && (key !== 'par_value' || Number.isFinite(Number(value)));
}

/** Catalogues hold `par_value` as a number or as text; clients get a number. */
function fieldView(field: Field): Field {
  return field.key === 'par_value' ? { ...field, value: Number(field.value) } : field;
}

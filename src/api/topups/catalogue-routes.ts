/** The top-up catalogue and its charges. docs/specification.md#top-up-products-variants-charges. */
import Joi from 'joi';
import type { TopupProduct } from '../../data/catalogue/catalogue-models';
import {
  storedAlpha3Of,
  findTopup,
  findTopupVariant,
  listTopups,
  mobileTopupsOf,
  topupVariantsOf,
  type TopupFilter,
  type TopupVariant,
} from '../../data/catalogue/topups';
import type { Client } from '../../data/clients/clients';
import type { Database } from '../../data/database/database';
import { pageSizes } from '../../domain/clients/page-sizes';
import { errors } from '../../domain/errors';
import { countryOfNumber, mayBeMobile, readPhoneNumber } from '../../domain/orders/phone-numbers';
import { toJsonNumber } from '../../domain/prices/money';
import { topupOffer } from '../catalogue/offers';
import { addressOfPicture } from '../catalogue/pictures';
import { variantFields, type VariantBody } from '../catalogue/variant-fields';
import { variantCatalogueRoutes } from '../catalogue/variant-routes';
import { clientOf } from '../middleware/caller';
import { json } from '../openapi/operation';
import type { ApiRoutes } from '../server/route';
import { listQuery } from '../shared/pagination';
import { validQuery } from '../shared/validation';
import { mobileLookupSchema, topupProductSchema, topupProductDetail, topupVariant } from './schemas';

const topupProductsQuery = listQuery<TopupFilter>(pageSizes.unspecified, {
  type: Joi.valid('GAMING', 'MOBILE', 'UTILITY').description('Only products of this type.'),
  search: Joi.string().empty('').description('In the name, case ignored.'),
});

const lookupQuery = Joi.object<{ number: string }>({
  number: Joi.string()
    .allow('')
    .default('')
    .description('A number in international form, with `+`, `00` or nothing before the country code.')
    .meta({ isRequired: true }),
});

const topupChargesBody = Joi.object<VariantBody>(variantFields);

const invalidNumber = () => errors.validation('Invalid mobile number', 'number');

export const topupCatalogueRoutes: ApiRoutes = {
  ...variantCatalogueRoutes({
    family: 'TOPUP',
    path: '/api/v1/topups',
    tag: 'Top-ups',
    noun: 'Topup',
    query: topupProductsQuery,
    schemas: {
      product: topupProductSchema,
      productDetail: topupProductDetail,
      variant: topupVariant,
      variantDetail: topupVariant,
    },
    reads: ({ database, priceLists }) => ({
      products: async (client, filter, page, origin) => {
        const { total, rows } = await listTopups(database, client, filter, page);
        return { total, rows: rows.map((row) => topupView(row, origin)) };
      },
      product: async (client, id, origin) => {
        const product = await findTopup(database, client, id);
        return product ? { ...topupView(product, origin), input_fields: product.inputFields } : undefined;
      },
      variants: async (client, productId) => {
        if (!(await findTopup(database, client, productId))) return undefined;
        const { variantIds: excluded } = await priceLists.belowFloor(client, 'TOPUP');
        const variants = await topupVariantsOf(database, client, productId);
        return variants.filter(({ id }) => !excluded.has(id)).map(topupVariantView);
      },
      variant: async (client, id) => {
        const { variantIds: excluded } = await priceLists.belowFloor(client, 'TOPUP');
        const variant = excluded.has(id) ? undefined : await findTopupVariant(database, client, id);
        return variant && topupVariantView(variant);
      },
      offer: (client, body) => topupOffer(database, client, body),
    }),
    charges: {
      body: { schema: topupChargesBody, title: 'TopupChargesRequest' },
      errors: [errors.amountNotAvailable('TOPUP')],
    },
  }),
  'GET /api/v1/topups/mobile-lookup': {
    id: 'lookUpMobileNumber',
    tag: 'Top-ups',
    scope: 'read',
    feature: 'topups',
    summary: 'Find the products that recharge a mobile number',
    query: lookupQuery,
    responses: { 200: json('The number and its products.', mobileLookupSchema) },
    errors: [invalidNumber()],
    handler: (deps) => async (request, response) => {
      const { number } = validQuery(lookupQuery, request);
      response.json(await mobileLookup(deps.database, clientOf(response), number));
    },
  },
};

/** A top-up product as the list shows it. docs/specification.md#top-up-products-variants-charges. */
function topupView(product: TopupProduct, origin: string) {
  return {
    id: product.id,
    name: product.name,
    topup_type: product.topupType,
    country_code: product.countryCode,
    currency_code: product.currencyCode,
    image_url: addressOfPicture(product.imageUrl, origin),
  };
}

/** The keys of `fields` for customers. Other fields hold the supplier's prices and routing, and never leave the service. */
const customerField = /^(par_value|delivery_time|validity_days|validity_unit|tag|benefit_\w+)$/;

/** A top-up variant, with bounds or fixed amounts. docs/specification.md#top-up-products-variants-charges. */
function topupVariantView(variant: TopupVariant) {
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

/** The contract guarantees that `par_value` is a number, so clients get no other one. */
function isForCustomers({ key, value }: Field): boolean {
  return customerField.test(key) && (key !== 'par_value' || Number.isFinite(Number(value)));
}

/** Catalogues hold `par_value` as a number or as text. Clients get a number. */
function fieldView(field: Field): Field {
  return field.key === 'par_value' ? { ...field, value: Number(field.value) } : field;
}

/** Finds the products that recharge a mobile number. Throws 400 for an invalid number, and for one that cannot be mobile. */
export async function mobileLookup(database: Database, client: Client, text: string) {
  const number = readPhoneNumber(text);
  const country = number && mayBeMobile(number) ? countryOfNumber(number) : undefined;
  const countryCode = country && (await storedAlpha3Of(database, country));
  if (!number || !countryCode) throw invalidNumber();
  const products = await mobileTopupsOf(database, client, countryCode);
  const [operator, ...others] = new Set(products.map((product) => product.operatorName));
  return {
    number: number.number,
    country_code: countryCode,
    // The number may have moved to another operator, so the operator is named only if it is the only one on sale.
    operator_name: others.length === 0 ? (operator ?? null) : null,
    products: products.map((product) => product.id),
  };
}

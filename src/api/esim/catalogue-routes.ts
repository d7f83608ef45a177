/** The eSIM catalogue and its charges. docs/specification.md#esim-products-variants-charges. */
import Joi from 'joi';
import { syncVariants } from '../../catalogue/variant-sync';
import type { EsimProduct } from '../../data/catalogue/catalogue-models';
import {
  esimVariantsOf,
  findEsimProduct,
  findEsimVariant,
  listEsims,
  type EsimListing,
} from '../../data/catalogue/esims';
import type { Client } from '../../data/clients/clients';
import { pageSizes } from '../../domain/clients/page-sizes';
import { errors } from '../../domain/errors';
import { toJsonNumber } from '../../domain/prices/money';
import { esimOffer } from '../catalogue/offers';
import { addressOfPicture } from '../catalogue/pictures';
import { variantFields, type VariantBody } from '../catalogue/variant-fields';
import { variantCatalogueRoutes } from '../catalogue/variant-routes';
import { listQuery } from '../shared/pagination';
import { rechargeFields, type RechargeBody } from './recharge-fields';
import { esimProductSchema, esimProductDetail, esimVariant, esimVariantDetail } from './schemas';

const esimProductsQuery = listQuery<{ country_code?: string; search?: string }>(pageSizes.unspecified, {
  country_code: Joi.string()
    .pattern(/^[A-Z]{3}$/)
    .description('ISO 3166-1 alpha-3, or `GLO`.'),
  search: Joi.string().empty('').description('In the name, case ignored.'),
});

const { product_id, amount, wallet_id } = variantFields;
const esimChargesBody = Joi.object<Omit<VariantBody, 'category'> & RechargeBody>({
  product_id,
  amount,
  wallet_id,
  ...rechargeFields,
});

export const esimCatalogueRoutes = variantCatalogueRoutes({
  family: 'ESIM',
  path: '/api/v1/esim',
  tag: 'eSIM',
  noun: 'Esim',
  query: esimProductsQuery,
  schemas: {
    product: esimProductSchema,
    productDetail: esimProductDetail,
    variant: esimVariant,
    variantDetail: esimVariantDetail,
  },
  reads: (deps) => {
    const { database, priceLists } = deps;
    const variantsOf = async (client: Client, product: EsimProduct) => {
      if (product.variantsSyncedAt === null) await syncVariants(deps, product);
      const { variantIds: excluded } = await priceLists.belowFloor(client, 'ESIM');
      const listings = await esimVariantsOf(database, client, product);
      return listings.filter(({ variant }) => !excluded.has(variant.id)).map(esimVariantView);
    };
    return {
      products: async (client, { country_code: countryCode, search }, page, origin) => {
        const { total, rows } = await listEsims(database, client, { countryCode, search }, page);
        return { total, rows: rows.map((row) => esimView(row, origin)) };
      },
      product: async (client, id, origin) => {
        const product = await findEsimProduct(database, client, id);
        return product ? { ...esimView(product, origin), variants: await variantsOf(client, product) } : undefined;
      },
      variants: async (client, productId) => {
        const product = await findEsimProduct(database, client, productId);
        return product ? variantsOf(client, product) : undefined;
      },
      variant: async (client, id) => {
        const { variantIds: excluded } = await priceLists.belowFloor(client, 'ESIM');
        const variant = excluded.has(id) ? undefined : await findEsimVariant(database, client, id);
        return variant && esimVariantDetailView(variant);
      },
      offer: (client, body) => esimOffer(deps, client, body),
    };
  },
  charges: {
    body: { schema: esimChargesBody, title: 'EsimChargesRequest' },
    errors: [
      errors.amountNotAvailable('ESIM'),
      errors.priceRoundsToZero('ESIM'),
      errors.notFound('Order', 'recharge_order_id'),
      errors.esimNotRechargeable(),
    ],
  },
});

/** An eSIM product as the list shows it. docs/specification.md#esim-products-variants-charges. */
function esimView(product: EsimProduct, origin: string) {
  return {
    id: product.id,
    name: product.name,
    country_code: product.countryCode,
    currency_code: product.currencyCode,
    image_url: addressOfPicture(product.imageUrl, origin),
  };
}

/** An eSIM variant as lists show it. docs/specification.md#esim-products-variants-charges. */
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

/** The variant with the details of its supplier. docs/specification.md#esim-products-variants-charges. */
function esimVariantDetailView(listing: EsimListing) {
  const { regions, networks, isRechargeable, activationPolicy } = listing.variant;
  return {
    ...esimVariantView(listing),
    regions,
    networks,
    is_rechargeable: isRechargeable,
    ...(activationPolicy !== null && { activation_policy: activationPolicy }),
  };
}

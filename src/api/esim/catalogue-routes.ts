/** The eSIM catalogue and its charges. docs/specification.md#esim-products-variants-charges. */
import type { Router } from 'express';
import Joi from 'joi';
import { syncVariants } from '../../catalogue/variant-sync';
import { esimVariantsOf, findEsim, findEsimVariant, listEsims } from '../../data/catalogue/esims';
import type { Client } from '../../data/clients/clients';
import type { EsimProduct } from '../../data/catalogue/catalogue-models';
import type { Dependencies } from '../dependencies';
import { listQuery } from '../shared/pagination';
import { variantCatalogueRoutes } from '../shared/variant-catalogue-routes';
import { variantFields, type VariantBody } from '../shared/variant-fields';
import { esimVariantDetailView, esimVariantView, esimView } from './catalogue-view';
import { esimOffer } from './offer';

interface Filter {
  country_code?: string;
  search?: string;
}

export const esimProductsQuery = listQuery<Filter>(
  { defaultSize: 50, maxSize: 500 },
  {
    country_code: Joi.string()
      .pattern(/^[A-Z]{3}$/)
      .description('ISO 3166-1 alpha-3, or `GLO`.'),
    search: Joi.string().empty('').description('In the name, case ignored.'),
  },
);

const { product_id, amount, wallet_id } = variantFields;
export const esimChargesBody = Joi.object<Omit<VariantBody, 'category'>>({ product_id, amount, wallet_id });

/** The routes of a catalogue of variants; a product's detail shows its variants. */
export function esimCatalogueRoutes(deps: Dependencies): Router {
  const { database } = deps;
  const findVariants = async (client: Client, product: EsimProduct) => {
    if (product.variantsSyncedAt === null) await syncVariants(deps, product);
    return esimVariantsOf(database, client, product);
  };
  return variantCatalogueRoutes(deps, {
    feature: 'esim',
    listQuery: esimProductsQuery,
    listProducts: (client, { country_code: countryCode, search }, rows) =>
      listEsims(database, client, { countryCode, search }, rows),
    findProduct: (client, id) => findEsim(database, client, id),
    findVariants,
    findVariant: (client, id) => findEsimVariant(database, client, id),
    views: {
      product: esimView,
      productDetail: async (product, client) => ({
        ...esimView(product),
        variants: (await findVariants(client, product)).map(esimVariantView),
      }),
      variant: esimVariantView,
      variantDetail: esimVariantDetailView,
    },
    chargesBody: esimChargesBody,
    findOffer: (client, body) => esimOffer(deps, client, body),
  });
}

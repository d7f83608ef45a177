/** The voucher catalogue and its charges. docs/specification.md#voucher-products-and-charges. */
import { Router, type Request } from 'express';
import Joi from 'joi';
import { findVoucher, listVouchers } from '../../data/catalogue/vouchers';
import { VersionedCache } from '../../data/database/versioned-cache';
import { pricingVersion } from '../../data/prices/pricing-settings';
import { minute } from '../../domain/time';
import { errors } from '../../domain/errors';
import type { Dependencies } from '../dependencies';
import { clientOf } from '../middleware/authenticate';
import { requireFeature } from '../middleware/require-feature';
import { CATALOGUE_CACHE_CONTROL } from '../shared/kept-answers';
import { listQuery, pageOf, rowsOf } from '../shared/pagination';
import {
  jsonObject,
  MAX_ID,
  pathId,
  queryId,
  queryInteger,
  validBody,
  validQuery,
} from '../shared/validation';
import { voucherChargesBody, voucherCharges, type VoucherCharges } from './charges';
import { voucherDetailView, voucherView } from './catalogue-view';

interface Filter {
  category?: string;
  country_id?: number;
  currency_id?: number;
  search?: string;
  sort_by: 'name' | 'category';
  sort_dir: 'asc' | 'desc';
}

export const voucherProductsQuery = listQuery<Filter>(
  { defaultSize: 10, maxSize: 500 },
  {
    category: Joi.string().empty('').description('The name of a category, exactly.'),
    country_id: queryInteger(1, MAX_ID).description('The id of a country.'),
    currency_id: queryId.description('The id of a currency.'),
    search: Joi.string().empty('').description('In the name, case ignored.'),
    sort_by: Joi.valid('name', 'category').default('name').description('What the list is sorted by.'),
    sort_dir: Joi.valid('asc', 'desc').default('asc').description('In which direction.'),
  },
);

/** Charges are cached for 5 minutes, and never longer than the prices they are made from. */
export const chargesBounds = { maxSize: 10_000, sizeOf: () => 1, maxAgeMs: 5 * minute };

/** GET /, GET /:id, POST /:id/charges. */
export function voucherCatalogueRoutes({ database, keptAnswers }: Dependencies): Router {
  const router = Router();
  // Charges are what an order debits: each request reads the version of the prices. docs/specification.md#limits.
  const charges = new VersionedCache<VoucherCharges>(() => pricingVersion(database), chargesBounds);
  const vouchers = requireFeature('vouchers');

  const asked = (request: Request) => validQuery(voucherProductsQuery, request);
  const list = keptAnswers.handler(CATALOGUE_CACHE_CONTROL, asked, async (query, client) => {
    const { total, rows } = await listVouchers(
      database,
      client,
      {
        category: query.category,
        countryId: query.country_id,
        currencyId: query.currency_id,
        search: query.search,
      },
      { by: query.sort_by, direction: query.sort_dir },
      rowsOf(query),
    );
    return pageOf({ ...query, total }, rows.map(voucherView));
  });

  const askedId = (request: Request) => productId(request.params['id']);
  const detail = keptAnswers.handler(CATALOGUE_CACHE_CONTROL, askedId, async (id, client) => {
    const found = await findVoucher(database, client, id);
    if (!found) throw errors.notFound('Product');
    return { data: voucherDetailView(found) };
  });

  router.get('/', vouchers, list);
  router.get('/:id', vouchers, detail);

  router.post('/:id/charges', vouchers, async (request, response) => {
    const id = productId(request.params.id);
    const body = validBody(voucherChargesBody, jsonObject(request));
    const client = clientOf(response);
    const key = [client.id, id, body.denomination, body.quantity, body.wallet_id].join('/');
    response.json(await charges.get(key, () => voucherCharges(database, client, id, body)));
  });

  return router;
}

function productId(text: string | string[] | undefined): number {
  return pathId(text, () => errors.badRequest('Invalid product ID'));
}

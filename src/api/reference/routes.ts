/** Countries, currencies, categories and subcategories. docs/specification.md#reference-data. */
import { Router, type RequestHandler } from 'express';
import type { Database } from '../../data/database/database';
import {
  findCategory,
  findCountry,
  findSubcategory,
  listCategories,
  listCountries,
  listCurrencies,
  listSubcategories,
} from '../../data/catalogue/reference';
import { errors } from '../../domain/errors';
import type { Dependencies } from '../dependencies';
import { requireFeature } from '../middleware/require-feature';
import type { KeptAnswers } from '../shared/kept-answers';
import { boundedPathId, pathId } from '../shared/validation';

/** Clients may keep it for a day. */
const CACHE_CONTROL = 'max-age=86400, stale-while-revalidate=600';

/** GET /countries, /currencies, /categories, /subcategories and, except of currencies, one by its id. */
export function referenceRoutes({ database, keptAnswers }: Dependencies): Router {
  const vouchers = requireFeature('vouchers');
  const all = (list: (database: Database) => Promise<object[]>): RequestHandler =>
    keptAnswers.handler(
      CACHE_CONTROL,
      () => undefined,
      async () => ({ data: await list(database) }),
    );
  const one = oneOf(database, keptAnswers);
  return Router()
    .get('/countries', all(listCountries))
    .get('/countries/:id', one('Country', findCountry, boundedPathId))
    .get('/currencies', all(listCurrencies))
    .get('/categories', vouchers, all(listCategories))
    .get('/categories/:id', vouchers, one('Category', findCategory))
    .get('/subcategories', vouchers, all(listSubcategories))
    .get('/subcategories/:id', vouchers, one('Subcategory', findSubcategory));
}

function oneOf(database: Database, keptAnswers: KeptAnswers) {
  return (
    what: string,
    find: (database: Database, id: number) => Promise<object | undefined>,
    idIn: typeof pathId = pathId,
  ): RequestHandler =>
    keptAnswers.handler(
      CACHE_CONTROL,
      (request) => idIn(request.params['id'], () => errors.badRequest(`Invalid ${what.toLowerCase()} ID`)),
      async (id) => {
        const data = await find(database, id);
        if (!data) throw errors.notFound(what);
        return { data };
      },
    );
}

/** Countries, currencies, categories and subcategories. docs/specification.md#reference-data. */
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
import { cacheable } from '../openapi/operation';
import { count, id, listOf, model, text, type Schema } from '../openapi/schema';
import type { ApiRoute, ApiRoutes } from '../server/route';
import { boundedPathId, found, MAX_ID, pathId } from '../shared/validation';

/** Clients may cache reference data for a day. */
const CACHE_CONTROL = 'max-age=86400, stale-while-revalidate=600';

const country = model('Country', 'An active country.', {
  id: id('The country.', 233),
  name: text('Its usual name.', 'United States'),
  official_name: text('Its official name.', 'United States of America'),
  alpha_2: { ...text('ISO 3166-1 alpha-2.', 'US'), pattern: '^[A-Z]{2}$' },
  alpha_3: { ...text('ISO 3166-1 alpha-3.', 'USA'), pattern: '^[A-Z]{3}$' },
  numeric_code: { ...text('ISO 3166-1 numeric, as text.', '840'), pattern: '^\\d*$' },
  dialing_prefix: text('The country code of its telephone numbers, with a leading plus sign.', '+1'),
});

const currency = model('Currency', 'A currency.', {
  id: id('The currency.', 150),
  name: text('Its name.', 'US Dollar'),
  code: { ...text('ISO 4217.', 'USD'), pattern: '^[A-Z]{3}$' },
  numeric_code: { ...text('ISO 4217 numeric, as text.', '840'), pattern: '^\\d*$' },
  symbol: text('Its sign.', '$'),
  minor_unit: count('Digits after the point of an amount.', 2),
});

const category = model('Category', 'A category of vouchers.', {
  id: id('The category.', 4),
  name: text('Its name.', 'Food & Drink'),
});

const subcategory = model('Subcategory', 'A subcategory of vouchers.', {
  id: id('The subcategory.', 9),
  name: text('Its name.', 'Coffee'),
});

const common = {
  tag: 'Reference data',
  scope: 'read',
  description: 'Cacheable for a day. Revalidate with `If-None-Match`.',
} as const;

function listRoute(
  operationId: string,
  summary: string,
  schema: Schema,
  list: (database: Database) => Promise<object[]>,
  order = 'name',
): ApiRoute {
  return {
    ...common,
    id: operationId,
    summary,
    responses: cacheable(`All of them, by ${order}.`, listOf(schema)),
    handler: ({ database, responseCache }) =>
      responseCache.handler(
        CACHE_CONTROL,
        () => undefined,
        async () => ({ data: await list(database) }),
      ),
  };
}

function singleRoute(
  operationId: string,
  name: string,
  schema: Schema,
  find: (database: Database, id: number) => Promise<object | undefined>,
  { isBounded = false }: { isBounded?: boolean } = {},
): ApiRoute {
  const idIn = isBounded ? boundedPathId : pathId;
  const noun = name.toLowerCase();
  const invalidId = () => errors.badRequest(`Invalid ${noun} ID`, 'id');
  return {
    ...common,
    id: operationId,
    summary: `Read a ${noun}`,
    path: { id: { ...id(`The ${noun}.`, 1), ...(isBounded && { maximum: MAX_ID }) } },
    responses: cacheable(`The ${noun}.`, schema),
    errors: [invalidId(), errors.notFound(name, 'id')],
    handler: ({ database, responseCache }) =>
      responseCache.handler(
        CACHE_CONTROL,
        (request) => idIn(request.params['id'], invalidId),
        async (id) => ({ data: found(await find(database, id), name) }),
      ),
  };
}

const ofVouchers = { feature: 'vouchers' } as const;

export const referenceRoutes: ApiRoutes = {
  'GET /api/v1/countries': listRoute('listCountries', 'List countries', country, listCountries),
  'GET /api/v1/countries/:id': singleRoute('getCountry', 'Country', country, findCountry, { isBounded: true }),
  'GET /api/v1/currencies': listRoute('listCurrencies', 'List currencies', currency, listCurrencies, 'code'),
  'GET /api/v1/categories': {
    ...ofVouchers,
    ...listRoute('listCategories', 'List categories', category, listCategories),
  },
  'GET /api/v1/categories/:id': { ...ofVouchers, ...singleRoute('getCategory', 'Category', category, findCategory) },
  'GET /api/v1/subcategories': {
    ...ofVouchers,
    ...listRoute('listSubcategories', 'List subcategories', subcategory, listSubcategories),
  },
  'GET /api/v1/subcategories/:id': {
    ...ofVouchers,
    ...singleRoute('getSubcategory', 'Subcategory', subcategory, findSubcategory),
  },
};

/** Reference data in the document. */
import { errors } from '../../domain/errors';
import { kept, type Operation, type Operations } from '../openapi/operation';
import { count, id, listOf, model, text, type Schema } from '../openapi/schema';

const country = model('Country', 'A country that is active.', {
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

const keptForADay = 'Kept for a day: ask again with `If-None-Match`.';

function all(operationId: string, summary: string, schema: Schema): Operation {
  return {
    id: operationId,
    tag: 'Reference data',
    summary,
    description: keptForADay,
    answers: kept('All of them, by name.', listOf(schema)),
  };
}

function one(operationId: string, what: string, schema: Schema): Operation {
  return {
    id: operationId,
    tag: 'Reference data',
    summary: `Read a ${what.toLowerCase()}`,
    description: keptForADay,
    path: { id: id(`The ${what.toLowerCase()}.`, 1) },
    answers: kept(`The ${what.toLowerCase()}.`, schema),
    errors: [errors.badRequest(`Invalid ${what.toLowerCase()} ID`), errors.notFound(what)],
  };
}

const ofVouchers = { feature: 'vouchers' } as const;

export const referenceOperations: Operations = {
  'GET /api/v1/countries': all('listCountries', 'List countries', country),
  'GET /api/v1/countries/:id': one('getCountry', 'Country', country),
  'GET /api/v1/currencies': all('listCurrencies', 'List currencies', currency),
  'GET /api/v1/categories': { ...all('listCategories', 'List categories', category), ...ofVouchers },
  'GET /api/v1/categories/:id': { ...one('getCategory', 'Category', category), ...ofVouchers },
  'GET /api/v1/subcategories': {
    ...all('listSubcategories', 'List subcategories', subcategory),
    ...ofVouchers,
  },
  'GET /api/v1/subcategories/:id': { ...one('getSubcategory', 'Subcategory', subcategory), ...ofVouchers },
};

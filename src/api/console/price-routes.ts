/** The page "Prices" of the console: the price list with a search, and as a file. docs/developers/console.md#data-of-the-console. */
import Joi from 'joi';
import type { Client } from '../../data/clients/clients';
import type { PriceListScope } from '../../ordering/price-list-parts';
import type { Dependencies } from '../dependencies';
import { clientOf } from '../middleware/caller';
import { priceListScope, priceView } from '../price-list/routes';
import type { Routes } from '../server/route';
import { sendCsv } from '../shared/csv-response';
import { scheduleLargeRead } from '../shared/large-reads';
import { MAX_ID, queryId, queryInteger, validQuery } from '../shared/validation';
import { rowLimit } from './page-query';

interface PricesQuery {
  search?: string;
  wallet_id?: number;
  /** The number of rows before the page. */
  after: number;
  limit: number;
}

const pricesQuery = Joi.object<PricesQuery>({
  search: Joi.string().trim().normalize('NFC').empty('').max(255),
  wallet_id: queryId,
  after: queryInteger(0, MAX_ID).default(0),
  limit: rowLimit,
});

const columns = [
  'family',
  'product_id',
  'variant_id',
  'product_name',
  'country_code',
  'currency_code',
  'amount',
  'min_amount',
  'max_amount',
  'discount',
  'total_payable',
  'min_payable',
  'max_payable',
  'payable_currency',
  'forex_rate',
] as const;

/** Served to the console's session alone. `next`: the `after` of the next page; null on the last one. */
export const consolePriceRoutes: Routes = {
  'GET /console/api/prices': {
    scope: 'read',
    handler: (deps) => async (request, response) => {
      const query = validQuery(pricesQuery, request);
      const { after: offset, limit } = query;
      const scope = await scopeOf(deps, clientOf(response), query);
      await scheduleLargeRead(response, async () => {
        const prices: object[] = [];
        const { total } = await deps.priceLists.page(scope, { offset, limit }, async (slice) => {
          prices.push(...slice.map(priceView));
        });
        response.json({ prices, next: offset + limit < total ? offset + limit : null });
      });
    },
  },
  'GET /console/api/prices.csv': {
    scope: 'read',
    handler: (deps) => async (request, response) => {
      const scope = await scopeOf(deps, clientOf(response), validQuery(pricesQuery, request));
      await sendCsv(response, 'prices.csv', columns, linesOf(deps, scope));
    },
  },
};

async function scopeOf(
  deps: Dependencies,
  client: Client,
  { search, wallet_id: walletId }: PricesQuery,
): Promise<PriceListScope> {
  return { ...(await priceListScope(deps, client, { walletId })), search };
}

async function* linesOf({ priceLists }: Dependencies, scope: PriceListScope): AsyncGenerator<object> {
  for await (const slice of priceLists.rows(scope)) yield* slice.map(priceView);
}

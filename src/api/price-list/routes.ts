/** The price list. docs/specification.md#price-list. */
import { createHash } from 'node:crypto';
import Joi from 'joi';
import { syncUnreadVariants } from '../../catalogue/variant-sync';
import type { Client } from '../../data/clients/clients';
import { isOpenWallet } from '../../data/wallets/paying-wallet';
import { pageSizes } from '../../domain/clients/page-sizes';
import { errors } from '../../domain/errors';
import { families, familyIds, type Family } from '../../domain/orders/families';
import { toJsonNumber } from '../../domain/prices/money';
import type { Pricing } from '../../domain/prices/pricing';
import type { PriceListScope } from '../../ordering/price-list-parts';
import type { PriceRow } from '../../ordering/priced-products';
import type { Dependencies } from '../dependencies';
import { clientHolds } from '../../http/conditional-requests';
import { clientOf } from '../middleware/caller';
import { cacheHeaders, paginationHeaders } from '../openapi/headers';
import { json } from '../openapi/operation';
import { amount, country, currency, extensibleEnumText, id, listOf, model, orNull, text } from '../openapi/schema';
import type { ApiRoutes } from '../server/route';
import { scheduleLargeRead } from '../shared/large-reads';
import { JsonRows, listQuery, rowsOf, sendJsonRows } from '../shared/pagination';
import { CATALOGUE_CACHE_CONTROL } from '../shared/response-cache';
import { queryId, validQuery } from '../shared/validation';

const price = model('Price', 'A price that you can order now: a fixed price, or a range of amounts.', {
  family: extensibleEnumText('The family.', familyIds, 'VOUCHER'),
  product_id: id('The product.', 1),
  variant_id: orNull(id('The variant; null for vouchers.', 8)),
  product_name: text('The name of the product.', 'Harbour Coffee Gift Card'),
  country_code: country('The country of the product.'),
  currency_code: currency("The product's currency."),
  amount: orNull(amount('The amount of a fixed price; null for a range.', 10)),
  min_amount: orNull({ ...amount('The lowest amount of a range; null for a fixed price.', 5), examples: [null] }),
  max_amount: orNull({ ...amount('The highest amount of a range; null for a fixed price.', 500), examples: [null] }),
  discount: amount('Your discount in percent.', 2),
  total_payable: orNull(amount('What an order of one unit debits; null for a range.', 9.2)),
  min_payable: orNull({
    ...amount('The same for `min_amount`; null for a fixed price, or if this end cannot be ordered.', 4.6),
    examples: [null],
  }),
  max_payable: orNull({
    ...amount('The same for `max_amount`; null for a fixed price, or if this end cannot be ordered.', 460),
    examples: [null],
  }),
  payable_currency: orNull(currency('The currency of the wallet; null if no wallet can pay.', 'EUR')),
  forex_rate: orNull(amount("The exchange rate from the product's currency to the wallet's.", 0.92)),
});

const priceListQuery = listQuery<{ family?: Family; wallet_id?: number }>(pageSizes.priceList, {
  family: Joi.valid(...familyIds).description('Only this family.'),
  wallet_id: queryId.description('The wallet that pays. Default: the one that an order would use.'),
});

/** Part of every `ETag`: a release that changes the rows raises it. */
const FORMAT = 2;

export const priceListRoutes: ApiRoutes = {
  'GET /api/v1/price-list': {
    id: 'listPrices',
    tag: 'Price list',
    scope: 'read',
    summary: 'List every price that you can order now',
    description:
      'One row for each denomination of a voucher and each amount of a variant, with what an order of one unit debits. Amounts that are null cannot be ordered with the wallet. Send the `ETag` of a page as `If-None-Match`: 304 means that it has not changed. The stock counts at most once a minute. All pages of a version fit together: after the last page, ask for the first one again; a 304 means that no row is missing or repeated.',
    query: priceListQuery,
    responses: {
      200: json('The prices.', listOf(price), { headers: [...paginationHeaders, ...cacheHeaders] }),
      304: { description: 'The cached copy is current.', headers: cacheHeaders },
    },
    errors: [errors.notFound('Wallet', 'wallet_id')],
    handler: (deps) => async (request, response) => {
      const { family, wallet_id: walletId, ...page } = validQuery(priceListQuery, request);
      const client = clientOf(response);
      const scope = await priceListScope(deps, client, { family, walletId });
      const headersAt = (version: string) => ({
        ETag: etagOf([FORMAT, client.id, walletId, family, page, version]),
        'Cache-Control': CATALOGUE_CACHE_CONTROL,
      });
      if (request.get('if-none-match') !== undefined) {
        const current = headersAt(await deps.priceLists.version(scope));
        if (clientHolds(request, current.ETag)) return void response.set(current).status(304).end();
      }
      await scheduleLargeRead(response, async (stopIfClosed) => {
        const rows = new JsonRows(priceView);
        const { version, total } = await deps.priceLists.page(scope, rowsOf(page), async (slice) => {
          stopIfClosed();
          await rows.add(slice);
        });
        response.set(headersAt(version));
        await sendJsonRows(response, { ...page, total }, rows);
      });
    },
  },
};

/** The list of the client's families. Throws 404 if the wallet is not an open wallet of the client. Reads plans that were never read. */
export async function priceListScope(
  deps: Dependencies,
  client: Client,
  { family, walletId }: { family?: Family | undefined; walletId: number | undefined },
): Promise<PriceListScope> {
  if (walletId !== undefined && !(await isOpenWallet(deps.database, client.id, walletId)))
    throw errors.notFound('Wallet', 'wallet_id');
  const listed = (family === undefined ? familyIds : [family]).filter((one) =>
    client.features.includes(families[one].feature),
  );
  if (listed.includes('ESIM')) await syncUnreadVariants(deps);
  return { client, families: listed, walletId };
}

function etagOf(parts: readonly unknown[]): string {
  return `"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url')}"`;
}

/** A row as clients read it. */
export function priceView({ family, listed, discountPercent, payableCurrency, min, max }: PriceRow): object {
  const isFixed = listed.minAmount === listed.maxAmount;
  const rate = (min ?? max)?.converted?.rate;
  return {
    family,
    product_id: listed.productId,
    variant_id: listed.variantId,
    product_name: listed.productName,
    country_code: listed.countryCode,
    currency_code: listed.currencyCode,
    amount: isFixed ? toJsonNumber(listed.minAmount) : null,
    min_amount: isFixed ? null : toJsonNumber(listed.minAmount),
    max_amount: isFixed ? null : toJsonNumber(listed.maxAmount),
    discount: toJsonNumber(discountPercent),
    total_payable: isFixed ? payable(min) : null,
    min_payable: isFixed ? null : payable(min),
    max_payable: isFixed ? null : payable(max),
    payable_currency: payableCurrency,
    forex_rate: rate ? toJsonNumber(rate) : null,
  };
}

const payable = (pricing: Pricing | null) => pricing && toJsonNumber(pricing.price);

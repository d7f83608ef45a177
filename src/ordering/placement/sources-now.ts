/**
 * The sources of an order under review or of a replacement, judged once more when it is bought: prices, stock and margin floors may have
 * changed.
 */
import { listRoutes } from '../../data/catalogue/source-settings';
import type { HeldOrder } from '../../data/orders/held-orders';
import { findConversionTerms } from '../../data/wallets/paying-wallet';
import { chooseSources, STOPPED, type Candidate } from '../../domain/orders/sources';
import { Exact } from '../../domain/prices/money';
import type { OrderingDependencies } from '../dependencies';

/**
 * The sources that can sell the order now and leave the margin of the price that the client has paid; empty if there is none. A placed
 * order goes on when the sale is stopped. `heedsStops`: whether a stop of sales is an obstacle.
 */
export async function sourcesNow(
  { database, suppliers }: Pick<OrderingDependencies, 'database' | 'suppliers'>,
  {
    clientId,
    family,
    productId,
    itemId,
    walletCurrency,
    faceValue,
    quantity,
    unitPrice,
    largestPurchase,
    profileSupplier,
  }: HeldOrder,
  { heedsStops = false }: { heedsStops?: boolean } = {},
): Promise<Candidate[]> {
  const routes = await listRoutes(database, { clientId, family, productId, amount: faceValue });
  const item = routes.find(({ id }) => id === itemId);
  if (!item) return [];
  // The order is paid, so a closed wallet does not matter.
  const pair = { family, productCurrency: item.currency, walletCurrency };
  const terms = await findConversionTerms(database, pair);
  if (!terms) return [];
  const { minMarginPercent } = item;
  // Only the supplier of the profile can recharge it.
  const sources = item.sources
    .filter(({ supplier }) => profileSupplier === null || supplier === profileSupplier)
    .map((source) => (source.obstacle === STOPPED && !heedsStops ? { ...source, obstacle: null } : source));
  const candidates = chooseSources(sources, {
    quantity,
    faceValue: new Exact(faceValue),
    itemCurrency: item.currency,
    walletCurrency,
    costRates: terms.costRates ?? {},
    floor:
      minMarginPercent === null ? undefined : { percent: new Exact(minMarginPercent), unitPrice: new Exact(unitPrice) },
    maxUnitsAt: (name) => suppliers.get(name)?.traits.maxUnits,
  });
  return candidates.filter(({ maxUnits }) => maxUnits >= largestPurchase);
}

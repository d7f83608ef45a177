/** Explains the routes of a possible order to suppliers: the sources that it would use, in order, and why it would not use others. */
import { listRoutes, type RoutedItem } from '../../data/catalogue/source-settings';
import { findPaymentTerms, type PaymentTerms } from '../../data/wallets/paying-wallet';
import type { Family } from '../../domain/orders/families';
import { judgeSources, type JudgedSource, type MarginFloor } from '../../domain/orders/sources';
import { Exact } from '../../domain/prices/money';
import type { OrderingDependencies } from '../dependencies';
import { pricingBy } from './quotes';

/** The order to explain. It was not placed. */
export interface PlannedOrder {
  clientId: number;
  family: Family;
  productId: number;
  /** The face value of one unit. */
  amount: Exact;
  quantity: number;
  /** The wallet that the client would name, if any. */
  walletId: number | undefined;
}

/** An item that serves the amount, with its sources in the order of use. */
export interface ItemRoutes {
  item: RoutedItem;
  walletCurrency: string;
  judged: JudgedSource[];
}

/** The routes of each item of the product that can be ordered at the amount. */
export async function explainRoutes(
  { database, suppliers }: Pick<OrderingDependencies, 'database' | 'suppliers'>,
  order: PlannedOrder,
): Promise<ItemRoutes[]> {
  const { clientId, family, productId, amount, quantity, walletId } = order;
  const items = await listRoutes(database, { clientId, family, productId, amount: amount.toFixed() });
  return Promise.all(
    items.map(async (item) => {
      const payment = { clientId, family, productCurrency: item.currency, walletId };
      const terms = await findPaymentTerms(database, payment);
      const walletCurrency = terms?.walletCurrency ?? item.currency;
      const judged = judgeSources(item.sources, {
        quantity,
        faceValue: amount,
        itemCurrency: item.currency,
        walletCurrency,
        costRates: terms?.costRates ?? {},
        floor: terms && floorOf(item, terms, order),
        maxUnitsAt: (name) => suppliers.get(name)?.traits.maxUnits,
      });
      return { item, walletCurrency, judged };
    }),
  );
}

/** Undefined if no rule demands a margin, or if the client cannot order because an exchange rate is missing. */
function floorOf(
  { currency, discountPercent, minMarginPercent }: RoutedItem,
  terms: PaymentTerms,
  { amount, quantity }: PlannedOrder,
): MarginFloor | undefined {
  if (minMarginPercent === null) return undefined;
  const units = { faceValue: amount, quantity, discountPercent, gstPercent: 0 };
  const pricing = pricingBy(terms, currency, units);
  return pricing && { percent: new Exact(minMarginPercent), unitPrice: pricing.price.div(quantity) };
}

/** Lists products that clients could not buy because no source meets the margin that a rule demands. */
import { listExactly } from '../../data/attention/attention';
import { bySupplier } from '../../data/suppliers/supplier-health';
import { deleteMarginRejection, listMarginRejections, type ListedRejection } from '../../data/prices/margin-rejections';
import type { JudgedSource } from '../../domain/orders/sources';
import { Exact } from '../../domain/prices/money';
import type { OrderingDependencies } from '../dependencies';
import { explainRoutes } from '../placement/explain-routes';

type ReviewDependencies = Pick<OrderingDependencies, 'database' | 'suppliers'>;

/** A source that leaves too little margin for a rejected request. */
interface Shortfall {
  supplier: string;
  rejection: ListedRejection;
  judged: JudgedSource;
}

/**
 * Makes the attention list show exactly the suppliers whose sources leave too little margin for requests of the last day. Deletes
 * a rejection once a source meets the margin, or if another reason keeps the product off sale.
 */
export async function reviewMargins(deps: ReviewDependencies): Promise<void> {
  const shortfalls: Shortfall[] = [];
  for (const rejection of await listMarginRejections(deps.database)) {
    const found = await shortfallsOf(deps, rejection);
    if (found.length === 0) await deleteMarginRejection(deps.database, rejection);
    shortfalls.push(...found);
  }
  await listExactly(deps.database, 'MARGIN_BELOW_FLOOR', bySupplier(shortfalls, reasonOf));
}

/** The sources that leave too little margin; none if another source would serve the request. */
async function shortfallsOf(deps: ReviewDependencies, rejection: ListedRejection): Promise<Shortfall[]> {
  const { sourceIds, ...request } = rejection;
  const routes = await explainRoutes(deps, { ...request, amount: new Exact(request.amount), quantity: 1 });
  const judged = routes
    .filter(({ item }) => item.sources.some(({ id }) => sourceIds.includes(id)))
    .flatMap((route) => route.judged);
  if (judged.some(({ obstacle }) => obstacle === undefined)) return [];
  return judged
    .filter(({ isBelowFloor }) => isBelowFloor)
    .map((one) => ({ supplier: one.source.supplier, rejection, judged: one }));
}

function reasonOf({ rejection, judged }: Shortfall): string {
  const { family, productId, product, amount, client } = rejection;
  return `${family} product ${productId} (${product}) of ${amount} is not sold to ${client}: ${judged.source.sku} ${judged.obstacle}`;
}

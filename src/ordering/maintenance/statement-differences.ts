/** Compares the statements of suppliers with our purchases, and stores and lists the differences. */
import type { Database } from '../../data/database/database';
import { firstOpenMonth } from '../../data/books/closed-months';
import {
  noteDifferences,
  reviewDifferences,
  storeDifferences,
  wasCompared,
  type ComparedSales,
  type SettlementDifference,
} from '../../data/purchases/settlement-differences';
import {
  compareSales,
  type CostDifference,
  type SalesComparison,
  type SalesDifferences,
  type StatedSales,
  type UnaccountedSale,
} from '../../data/purchases/statement-comparison';
import { callAndRecord } from '../../catalogue/supplier-reports';
import { markedCost } from '../../domain/cost-texts';
import { day, hour } from '../../domain/time';
import type { Supplier } from '../../domain/suppliers/port';
import { withEachSupplier } from '../../domain/suppliers/configured-suppliers';

/** The largest expected clock difference to a supplier in milliseconds. Statements are read from that much earlier. */
const CLOCK_MARGIN_MS = hour;
/** The daily comparison reads the sales of so many milliseconds. */
const COMPARED_MS = 7 * day;
/** The weekly one reads those from the beginning of the oldest open month, but no fewer than these and none older than those. */
const COMPARED_AT_LEAST_MS = 35 * day;
const COMPARED_AT_MOST_MS = 90 * day;
/** The weekly comparison follows if the last one is older. Less than a week, because the daily one does not begin on the second. */
const WEEKLY_MS = 6.5 * day;

/**
 * Compares the statement of each supplier that provides one, and stores and lists the differences. A statement that breaks off changes
 * nothing. The failure of one supplier does not stop the others; it is thrown at the end.
 */
export async function compareStatements(database: Database, suppliers: ReadonlyMap<string, Supplier>): Promise<void> {
  const openMonth = await firstOpenMonth(database);
  await withEachSupplier(suppliers, async (supplier) => {
    const { name, statement } = supplier;
    if (!statement) return;
    const now = Date.now();
    const farthest = Math.min(openMonth?.getTime() ?? now, now - COMPARED_AT_LEAST_MS);
    const far = new Date(Math.max(farthest, now - COMPARED_AT_MOST_MS));
    const isDone = await wasCompared(database, name, far, WEEKLY_MS);
    const since = isDone ? new Date(now - COMPARED_MS) : far;
    await callAndRecord(database, name, 'statement', () =>
      compareWith(database, supplier, { statement, since }, { source: 'STATEMENT' }),
    );
  });
}

/** What becomes of a comparison. */
export interface ComparisonUse {
  /** As what it is stored and listed. Without it, it changes nothing. */
  source?: ComparedSales['source'] | undefined;
  /** Gets the number of sales that were read, from time to time. */
  progress?: (sales: number) => void;
  /** Gets all differences, some at a time. */
  found?: (some: readonly SettlementDifference[]) => void;
}

/** Reads the statement from `since` on, and compares its sales with delivered, quarantined and unresolved purchases. */
export function compareWith(
  database: Database,
  { name }: Pick<Supplier, 'name'>,
  { statement, since }: { statement: NonNullable<Supplier['statement']>; since: Date },
  use: ComparisonUse,
) {
  const pages = statement(new Date(since.getTime() - CLOCK_MARGIN_MS));
  return compareStated(database, { supplier: name, pages, begins: since }, use);
}

/** The same for sales that are already read. `differences`: their number. */
export async function compareStated(
  database: Database,
  sales: StatedSales,
  { source, progress = () => undefined, found = () => undefined }: ComparisonUse,
): Promise<SalesComparison & { differences: number }> {
  const { supplier, begins } = sales;
  const compared = await database.transaction(async (transaction) => {
    let differences = 0;
    const note = async (some: SalesDifferences) => {
      const more = differencesOf(supplier, some);
      differences += more.length;
      found(more);
      if (source) await noteDifferences(database, more, transaction);
    };
    const result = await compareSales(database, sales, { progress, found: note }, transaction);
    if (source) await storeDifferences(database, { supplier, begins, ends: result.ends, source }, transaction);
    return { ...result, differences };
  });
  if (source) await reviewDifferences(database, supplier);
  return compared;
}

function differencesOf(supplier: string, { unaccounted, unsold, costs }: SalesDifferences): SettlementDifference[] {
  return [
    ...unaccounted.map((sale) => {
      const kind = sale.orderId === null ? ('sold-unknown' as const) : ('sold-unaccounted' as const);
      return { ...placeOf(sale), kind, detail: excessText(supplier, sale) };
    }),
    ...unsold.map((delivery) => ({
      ...placeOf(delivery),
      kind: 'delivered-unsold' as const,
      detail: `${delivery.delivered} units of ${delivery.reference} were delivered, ${supplier} says it ${soldText(delivery)}`,
    })),
    ...costs.map((difference) => ({
      ...placeOf(difference),
      kind: 'cost-differs' as const,
      detail: costText(supplier, difference),
    })),
  ];
}

const placeOf = ({ reference, orderId, at }: Pick<SettlementDifference, 'reference' | 'orderId' | 'at'>) => ({
  reference,
  orderId,
  at,
});

function soldText({ sold, refunded }: { sold: number; refunded: number }): string {
  return refunded > 0 ? `sold ${sold} and refunded ${refunded}` : `sold ${sold}`;
}

function excessText(supplier: string, sale: UnaccountedSale): string {
  const { reference, orderId, sales: times, delivered, quarantined, excess, cost, boughtAt, isReversed } = sale;
  const units = `${excess} units${cost === null ? '' : ` for ${markedCost(cost)}`}`;
  if (orderId === null) return `${supplier} sold ${units} under ${reference}, which names no order`;
  if (isReversed) return `${supplier} reversed ${reference} and has not refunded ${units}`;
  const elsewhere = boughtAt === null ? '' : `, which we bought at ${boughtAt}`;
  const inLines = times > 1 ? ` in ${times} lines` : '';
  return `${supplier} sold what nothing accounts for: ${units} under ${reference}${elsewhere}: it ${soldText(sale)}${inLines}, ${delivered} were delivered, ${quarantined} are quarantined`;
}

function costText(supplier: string, { reference, charged, expected, refunded }: CostDifference): string {
  const after = refunded > 0 ? ' after the refund' : '';
  return `${reference} costs ${markedCost(charged)}${after} in the statement of ${supplier}, and ${markedCost(expected)} by our purchase`;
}

/**
 * Checks the cost that a supplier reports with a purchase. A cost that cannot be true is listed and used nowhere; the goods are
 * delivered all the same. A cost above the known one counts as the cost of the source for later orders.
 * docs/operators/suppliers.md#what-a-supplier-charges.
 */
import { findListedCost, findValuedCurrency, storeReportedCost } from '../../data/catalogue/reported-costs';
import type { Database } from '../../data/database/database';
import { extendAttention } from '../../data/attention/attention';
import type { Purchase } from '../../data/purchases/purchase-reads';
import { markedCost } from '../../domain/cost-texts';
import { unitCostOf, type SourceCost } from '../../domain/orders/source-costs';
import { Exact } from '../../domain/prices/money';
import { isPossibleAmount, judgeReportedCost, type CostVerdict } from '../../domain/prices/believable-costs';
import type { Money, PurchaseReport } from '../../domain/suppliers/port';

/** A report that can be stored, and what follows from its cost. */
export interface CheckedReport {
  /** The report, without a cost that cannot be true. */
  report: PurchaseReport;
  /** Lists the cost if a person must see it, and makes it the cost of the source. Call it once the report is stored. */
  conclude: () => Promise<void>;
}

/** Checks the cost in the report. Reads the database only if the cost is in a currency that the order does not know. */
export async function checkCost(
  database: Database,
  limitPercent: number,
  purchase: Purchase,
  report: PurchaseReport,
): Promise<CheckedReport> {
  const cost = 'cost' in report ? report.cost : undefined;
  if (!cost || isStored(purchase, cost)) return { report, conclude: () => Promise.resolve() };
  const fault = isPossibleAmount(cost.amount) ? undefined : 'it is negative or no amount';
  const rate = fault === undefined ? await rateOf(database, purchase, cost.currency) : undefined;
  if (fault !== undefined || rate === undefined)
    return withoutCost(database, purchase, report, fault ?? 'its currency is not in ISO 4217');
  const verdict = verdictOf(purchase, cost, rate, limitPercent);
  if (verdict === 'impossible')
    return withoutCost(database, purchase, report, `it is ${textOf(cost)}, far above the known cost`);
  return { report, conclude: () => apply(database, purchase, cost, verdict) };
}

/** Whether an earlier report of the purchase had the same cost. */
function isStored({ cost }: Purchase, { amount, currency }: Money): boolean {
  return cost !== null && cost.currency === currency && new Exact(cost.amount).equals(amount);
}

/** The rate from the currency to the wallet's: null if it is unknown, undefined if the currency is not in ISO 4217. */
async function rateOf(
  database: Database,
  { walletCurrency, chosen }: Purchase,
  currency: string,
): Promise<string | null | undefined> {
  if (currency === walletCurrency) return '1';
  if (currency === chosen?.costRate?.currency) return chosen.costRate.rate;
  return (await findValuedCurrency(database, currency, walletCurrency))?.rate;
}

function verdictOf(purchase: Purchase, cost: Money, rate: string | null, limitPercent: number): CostVerdict {
  const { price, units, walletCurrency, chosen } = purchase;
  const listed = chosen?.cost && new Exact(chosen.cost.unit).times(units);
  if (listed && chosen?.cost?.currency === cost.currency) {
    const paid = rate === null ? undefined : new Exact(price).div(rate);
    return judgeReportedCost(new Exact(cost.amount), { known: listed, price: paid }, limitPercent);
  }
  if (rate === null) return { isAboveListed: false, isLoss: false };
  const listedRate = chosen?.cost?.currency === walletCurrency ? '1' : chosen?.costRate?.rate;
  const known = listedRate === undefined ? undefined : listed?.times(listedRate);
  return judgeReportedCost(new Exact(cost.amount).times(rate), { known, price: new Exact(price) }, limitPercent);
}

function withoutCost(
  database: Database,
  { supplier, reference, orderId }: Purchase,
  report: PurchaseReport,
  fault: string,
): CheckedReport {
  const rest = { ...report };
  if ('cost' in rest) delete rest.cost;
  const reason = `The reported cost of order ${orderId} (${reference}) cannot be true and is not used: ${fault}`;
  return { report: rest, conclude: () => extendAttention(database, { supplier }, 'REPORT_IMPLAUSIBLE', reason) };
}

async function apply(
  database: Database,
  purchase: Purchase,
  cost: Money,
  { isAboveListed, isLoss }: Exclude<CostVerdict, 'impossible'>,
): Promise<void> {
  const { supplier, reference, orderId, price, walletCurrency, chosen } = purchase;
  if (isLoss) {
    const paid = `${new Exact(price).toDecimalPlaces(4).toFixed()} ${walletCurrency}`;
    const reason = `Order ${orderId} (${reference}) cost ${textOf(cost)}, and the client paid ${paid} for it`;
    await extendAttention(database, { supplier }, 'SOLD_AT_LOSS', reason);
  }
  if (!isAboveListed && chosen?.hasReportedCost !== true) return;
  const listed = await findListedCost(database, purchase.sourceId);
  if (!listed) return;
  const reported = isAboveListed ? reportedCost(purchase, cost, listed) : null;
  await storeReportedCost(database, purchase, listed, reported);
}

/** The cost as that of the source; null if a person has accepted at least this cost since the order. */
function reportedCost(
  { faceValue, units, currency: itemCurrency }: Purchase,
  { amount, currency }: Money,
  listed: SourceCost,
): SourceCost | null {
  const unit = new Exact(amount).div(units);
  const accepted = unitCostOf(listed, new Exact(faceValue));
  const isComparable = (listed.costCurrency ?? itemCurrency) === currency;
  if (isComparable && accepted?.greaterThanOrEqualTo(unit)) return null;
  const inPercent = { costPercent: unit.div(faceValue).times(100).toSignificantDigits(15).toFixed(), costFixed: null };
  const fixed = { costPercent: null, costFixed: unit.toSignificantDigits(15).toFixed() };
  return { ...(listed.costFixed === null ? inPercent : fixed), fee: '0', costCurrency: currency };
}

const textOf = ({ amount, currency }: Money): string => markedCost(`${amount} ${currency}`);

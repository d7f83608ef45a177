/**
 * The data that an eSIM has used, as its supplier reports it. docs/specification.md#esim-usage.
 * Rule: when a plan is unlimited, and what counts as used
 */
import { Exact } from '../prices/money';

/** The usage in megabytes, and the end of the validity. A value is null if the supplier does not report it. */
export interface EsimUsage {
  totalMb: number | null;
  usedMb: number | null;
  leftMb: number | null;
  /** Never `Invalid Date`, but wrong if the supplier's clock is. */
  endsAt: Date | null;
}

/** The usage in a supplier's response. An absent or null value and `Invalid Date` mean that the value is unknown. */
interface ReportedUsage {
  totalMb?: number | null | undefined;
  leftMb?: number | null | undefined;
  endsAt?: Date | null;
}

/** Suppliers that report gigabytes mean 1,000 megabytes, not 1,024. */
const MB_IN_GB = 1_000;

/** The percentages of used data that clients are notified of. */
export const usageThresholds = [50, 80, 100] as const;

/**
 * The usage from a report. If total and remaining data are known, computes the used data. Amounts are rounded to thousandths of a
 * megabyte. The remaining data are at least 0 and at most the total. A negative total is unknown, and so are negative remaining data
 * without a total: suppliers write -1 for "unknown" or "no limit".
 */
export function usageOf({ totalMb, leftMb, endsAt }: ReportedUsage): EsimUsage {
  const total = unlessNegative(amountOf(totalMb));
  const reported = amountOf(leftMb);
  const left = total !== null && reported !== null ? Math.max(0, Math.min(reported, total)) : unlessNegative(reported);
  const isDate = endsAt instanceof Date && endsAt.getTime() > 0 && endsAt.getTime() < END_OF_TIME;
  return {
    totalMb: total,
    usedMb: total === null || left === null ? null : new Exact(total).minus(left).toNumber(),
    leftMb: left,
    endsAt: isDate ? endsAt : null,
  };
}

/** A later date counts as unknown, because our responses write years with four digits. */
const END_OF_TIME = Date.UTC(9999, 11, 31);

/** The largest plausible amount. The column `numeric(14, 3)` can hold it. */
const MAX_MB = 10_000_000_000;

function amountOf(mb: number | null | undefined): number | null {
  if (mb === null || mb === undefined || !Number.isFinite(mb) || mb > MAX_MB) return null;
  return new Exact(mb).toDecimalPlaces(3).toNumber();
}

const unlessNegative = (mb: number | null) => (mb !== null && mb < 0 ? null : mb);

/** Converts a supplier's gigabytes to megabytes. */
export function megabytesOf(gigabytes: number | string): number {
  return new Exact(gigabytes).times(MB_IN_GB).toNumber();
}

/** Whether an ordered amount of data means that the plan is unlimited. */
export function isUnlimited(planGb: string): boolean {
  return new Exact(planGb).isZero();
}

/**
 * The used share in percent, rounded down; 0 if it is unknown or the plan has no limit. `planGb`: the ordered data, which is the
 * total if the supplier reports none; 0 for a plan without a limit.
 */
export function usedPercent({ totalMb, leftMb }: EsimUsage, planGb: string): number {
  const total = totalMb ?? megabytesOf(planGb);
  if (leftMb === null || total === 0) return 0;
  const used = new Exact(total).minus(leftMb).times(100).dividedBy(total).floor().toNumber();
  return Math.min(100, Math.max(0, used));
}

/**
 * What a supplier's report about an eSIM profile says about each plan that was bought for it.
 * docs/specification.md#esim-orders.
 * Rule: which plan of a recharged profile a status is about
 */
import type { EsimStatus } from './esim-lifecycle';

/** The order of a plan. */
interface PlanOrder {
  isRecharge: boolean;
  /** Whether a later recharge of the profile is monitored. */
  isRecharged: boolean;
  deliveredAt: Date;
}

/**
 * What the status of the profile says about the plan of the order. Suppliers report the sum of all plans. So the end of the
 * sum ends the recharges, and the first plan only while no recharge is monitored. The plan of a recharge is in use from its delivery
 * on, or from the first use of the profile after that.
 */
export function statusOfPlan(
  { isRecharge, isRecharged, deliveredAt }: PlanOrder,
  { installedAt, firstUsedAt, isDepleted, depletedAt, usage }: EsimStatus,
): EsimStatus {
  const ends = (isRecharge || !isRecharged) && {
    ...(isDepleted !== undefined && { isDepleted }),
    ...(depletedAt && { depletedAt }),
  };
  if (!isRecharge)
    return {
      ...(installedAt && { installedAt }),
      ...(firstUsedAt && { firstUsedAt }),
      ...ends,
      ...(usage && { usage }),
    };
  const isUsedBefore = firstUsedAt && firstUsedAt <= deliveredAt;
  return {
    ...(firstUsedAt && { firstUsedAt: isUsedBefore ? deliveredAt : firstUsedAt }),
    ...ends,
    ...(usage && { usage }),
  };
}

/** The field of charges and orders that makes an order a recharge. docs/specification.md#recharging-an-esim. */
import { bodyId, number } from '../orders/order-fields';

export interface RechargeBody {
  recharge_order_id?: number;
}

export const rechargeFields = {
  // Every whole number names an order, if only one that does not exist.
  recharge_order_id: bodyId(number.integer()).description(
    'An eSIM order of yours: the plan is added to its profile, and no new profile is issued. `amount` selects one of its recharge plans.',
  ),
} as const;

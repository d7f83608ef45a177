import type { OfIndexes } from './migration';

/** The recharges of an order. */
export const rechargesByOrder: OfIndexes = {
  name: '0026-recharges-by-order',
  indexes: [
    {
      name: 'esim_orders_recharging',
      on: 'esim_orders (recharges_order_id, order_id) WHERE recharges_order_id IS NOT NULL',
    },
  ],
};

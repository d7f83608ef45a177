import type { OfIndexes } from './migration';

/**
 * What operators find orders by, however many there are: recipients, products, suppliers, and how orders failed; and what
 * keeps an entry of the audit from being read twice from a history.
 */
export const ordersFound: OfIndexes = {
  name: '0025-orders-found',
  indexes: [
    { name: 'orders_by_product', on: 'orders (family, product_id, id DESC)' },
    { name: 'orders_by_supplier', on: 'orders (supplier, id DESC)' },
    { name: 'orders_by_failure', on: 'orders (failure_code, id DESC) WHERE failure_code IS NOT NULL' },
    { name: 'orders_unsold', on: `orders (status, id DESC) WHERE status IN ('FAILED', 'CANCELLED')` },
    { name: 'orders_by_email', on: 'orders (email_hash, id DESC) WHERE email_hash IS NOT NULL' },
    {
      name: 'topup_orders_by_phone',
      on: 'topup_orders (phone_hash, order_id DESC) WHERE phone_hash IS NOT NULL',
    },
    { name: 'audit_entries_source', unique: true, on: 'audit_entries (source) WHERE source IS NOT NULL' },
  ],
};

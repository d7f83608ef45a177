import type { Migration } from './migration';

/**
 * As which deployment version a process takes tasks of orders: '' is unversioned, null takes none. A worker of a
 * release that does not tell takes them unversioned, so that is what its row says.
 */
export const orderPollers: Migration = {
  name: '0023-order-pollers',
  sql: `ALTER TABLE key_holders ADD COLUMN polls_orders_as text DEFAULT ''`,
};

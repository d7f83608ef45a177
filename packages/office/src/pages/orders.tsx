import { OrderList } from '../parts/order-list';

const filters = [
  'status',
  'family',
  'client',
  'reference',
  'supplier',
  'supplier_order',
  'product',
  'failure',
  'recipient',
  'voucher_code',
  'key',
  'since',
  'until',
  'oldest_first',
];

/** Orders of all clients. */
export function OrdersPage() {
  return <OrderList title="Newest first" filters={filters} actions={['orders retry']} />;
}

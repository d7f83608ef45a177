import { List } from '../parts/list';
import { hrefOf } from '../route';

const columns = [
  ...[
    'id',
    'status',
    'family',
    'product_name',
    'client',
    'client_reference',
    'amount',
    'total_payable',
    'currency',
  ],
  ...['supplier', 'failure_code', 'placed_at'],
];

const filters = [
  ...['status', 'family', 'client', 'reference', 'supplier', 'supplier_order', 'product', 'failure'],
  ...['recipient', 'voucher_code', 'key', 'since', 'until', 'oldest_first'],
];

/** Orders of all clients. */
export function OrdersPage() {
  return (
    <List
      title="Orders"
      operation="orders find"
      filters={filters}
      columns={columns}
      href={({ id }) => hrefOf('orders', Number(id))}
      actions={['orders retry']}
    />
  );
}

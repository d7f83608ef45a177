import type { Values } from '../call';
import { hrefOf } from '../route';
import { List } from './list';

const columns = [
  'id',
  'status',
  'placed_at',
  'family',
  'product_name',
  'client',
  'total_payable',
  'currency',
  'failure_code',
];
const more = ['client_reference', 'quantity', 'delivered', 'supplier', 'completed_at'];

interface OrderListProps {
  title: string;
  given?: Values;
  filters?: readonly string[];
  actions?: readonly string[];
}

/** Orders, the newest first. Without the column that is the same for all. */
export function OrderList({ title, given = {}, filters = [], actions = [] }: OrderListProps) {
  return (
    <List
      title={title}
      operation="orders find"
      given={given}
      filters={filters}
      columns={columns.filter((name) => !(name in given))}
      more={more}
      href={({ id }) => hrefOf('orders', Number(id))}
      actions={actions}
    />
  );
}

import type { Values } from '../call';
import { hrefOf } from '../route';
import { List } from './list';

const columns = [
  'id',
  'status',
  'product_name',
  'total_payable',
  'client',
  'client_reference',
  'placed_at',
  'failure_code',
];
const more = ['family', 'quantity', 'delivered', 'supplier', 'completed_at'];

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

import type { Values } from '../call';
import { hrefOf } from '../route';
import { List } from './list';

const columns = [
  ...['id', 'status', 'family', 'product_name', 'client', 'client_reference', 'total_payable', 'currency'],
  ...['supplier', 'failure_code', 'placed_at'],
];

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
      href={({ id }) => hrefOf('orders', Number(id))}
      actions={actions}
    />
  );
}

/** What a sum is made of, by the filters in the address. */
import { List } from '../parts/list';

export function PartsPage() {
  return (
    <>
      <p class="quiet">
        An order counts when it ended, whenever it was placed. A column adds up to the sum that led here.
      </p>
      <List
        title="Orders and credits"
        operation="reports parts"
        filters={['from', 'to', 'family', 'client', 'product', 'supplier', 'currency', 'status']}
        nameOf={({ kind, order_id: order, at }) => `${String(kind)} ${String(order)} ${String(at)}`}
        columns={['order_id', 'kind', 'at', 'client', 'status', 'sold', 'refunded', 'redeemed', 'cost', 'margin']}
        more={[
          'product_name',
          'family',
          'currency',
          'ended',
          'sales',
          'delivered',
          'failed',
          'cancelled',
          'supplier_credits',
          'orders_with_unknown_cost',
        ]}
      />
    </>
  );
}

export function SpendPage() {
  return (
    <List
      title="Purchases"
      operation="reports spend"
      filters={['from', 'to', 'supplier', 'currency']}
      nameOf={({ reference }) => String(reference)}
      columns={['order_id', 'reference', 'supplier', 'at', 'charged', 'currency']}
    />
  );
}

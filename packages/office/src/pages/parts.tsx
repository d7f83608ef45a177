/** What a sum is made of, by the filters in the address. */
import type { Values } from '../call';
import { List } from '../parts/list';
import { useRoute } from '../route';

export function PartsPage() {
  return (
    <>
      <p class="quiet">
        An order counts when it ended, whenever it was placed. A column adds up to the sum that led here.
      </p>
      <List
        title="Orders and credits"
        operation="reports parts"
        given={useGiven()}
        nameOf={({ what, order_id: order, at }) => `${String(what)} ${String(order)} ${String(at)}`}
        columns={[
          'order_id',
          'what',
          'at',
          'client',
          'product_name',
          'status',
          'sold',
          'refunded',
          'redeemed',
          'cost',
          'margin',
        ]}
        more={[
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
      given={useGiven()}
      nameOf={({ reference }) => String(reference)}
      columns={['order_id', 'reference', 'supplier', 'at', 'charged', 'currency']}
    />
  );
}

const useGiven = (): Values => Object.fromEntries(useRoute().query);

import { useState } from 'preact/hooks';
import { api } from '../api';
import { money } from '../../../parts/src/format';
import { useLoaded } from '../../../parts/src/loading';
import { Action, Dialog, Progress, Row, Table } from '../../../parts/src/basics';
import { hrefOf } from '../route';
import type { Order, Variant } from '../types';

/** A button that shows the plans with which the supplier of an installed eSIM recharges it. Each is an order of its own. */
export function Recharge({ order }: { order: Order }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <p>
      <button type="button" onClick={() => setIsOpen(true)}>
        Recharge
      </button>
      {isOpen && (
        <Dialog title="Recharge the eSIM" close={() => setIsOpen(false)}>
          <Plans order={order} />
        </Dialog>
      )}
    </p>
  );
}

function Plans({ order }: { order: Order }) {
  const path = `/esim/orders/${order.id}/recharge-plans`;
  const plans = useLoaded(() => api<Variant[]>(path), path);
  const buy =
    ({ esim_product_id: product, amount }: Variant) =>
    async () => {
      const body = { product_id: product, amount, recharge_order_id: order.id };
      const { id } = await api<Order>('/esim/orders', { method: 'POST', body });
      location.assign(hrefOf(`orders/esim/${id}`));
    };
  if (!plans.data) return <Progress of={plans} />;
  if (plans.data.length === 0) return <p>This eSIM cannot be recharged.</p>;
  return (
    <Table caption="Plans" isCaptionHidden columns={['Plan', 'Price', '']}>
      {plans.data.map((plan) => (
        <Row
          key={plan.id}
          cells={[
            plan.name,
            plan.amount && money(plan.amount, plan.currency_code),
            <Action run={buy(plan)}>Order {plan.name}</Action>,
          ]}
        />
      ))}
    </Table>
  );
}

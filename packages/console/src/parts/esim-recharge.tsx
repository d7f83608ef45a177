import { useState } from 'preact/hooks';
import { api } from '../api';
import type { FamilyView } from '../families';
import { useLoaded } from '../../../parts/src/loading';
import { Dialog, Progress } from '../../../parts/src/basics';
import type { Order, Variant, Wallet } from '../types';
import { OrderForm } from './order-form';

interface RechargeProps {
  family: FamilyView;
  order: Order;
}

/** A button that shows the plans with which the supplier of an installed eSIM recharges it. Each is an order of its own. */
export function Recharge(props: RechargeProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <p>
      <button type="button" onClick={() => setIsOpen(true)}>
        Recharge
      </button>
      {isOpen && (
        <Dialog title="Recharge the eSIM" close={() => setIsOpen(false)}>
          <Plans {...props} />
        </Dialog>
      )}
    </p>
  );
}

function Plans({ family, order: { id } }: RechargeProps) {
  const path = `${family.orders}/${id}/recharge-plans`;
  const plans = useLoaded(() => api<Variant[]>(path), path);
  const wallets = useLoaded(() => api<Wallet[]>('/wallets'), 'wallets');
  if (!plans.data) return <Progress of={plans} />;
  if (!wallets.data) return <Progress of={wallets} />;
  const products = [...new Set(plans.data.flatMap((plan) => plan.esim_product_id ?? []))];
  if (products.length === 0) return <p>This eSIM cannot be recharged.</p>;
  const plansOf = (product: number) => (plans.data ?? []).filter((plan) => plan.esim_product_id === product);
  return (
    <>
      {products.map((product) => (
        <OrderForm
          key={product}
          {...{ family }}
          productId={product}
          wallets={wallets.data ?? []}
          recharge={{ orderId: id, plans: plansOf(product) }}
        />
      ))}
    </>
  );
}

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

/**
 * A button that shows the plans with which the supplier of an installed eSIM recharges it; nothing without one. Each is an order of its
 * own.
 */
export function Recharge({ family, order: { id } }: RechargeProps) {
  const [isOpen, setIsOpen] = useState(false);
  const path = `${family.orders}/${id}/recharge-plans`;
  const { data: plans = [] } = useLoaded(() => api<Variant[]>(path), path);
  if (plans.length === 0) return null;
  return (
    <p>
      <button type="button" onClick={() => setIsOpen(true)}>
        Recharge
      </button>
      {isOpen && (
        <Dialog title="Recharge the eSIM" close={() => setIsOpen(false)}>
          <Plans {...{ family, orderId: id, plans }} />
        </Dialog>
      )}
    </p>
  );
}

interface PlansProps {
  family: FamilyView;
  orderId: number;
  plans: readonly Variant[];
}

function Plans({ family, orderId, plans }: PlansProps) {
  const wallets = useLoaded(() => api<Wallet[]>('/wallets'), 'wallets');
  if (!wallets.data) return <Progress of={wallets} />;
  const products = [...new Set(plans.flatMap((plan) => plan.esim_product_id ?? []))];
  const plansOf = (product: number) => plans.filter((plan) => plan.esim_product_id === product);
  return (
    <>
      {products.map((product) => (
        <OrderForm
          key={product}
          {...{ family }}
          productId={product}
          wallets={wallets.data ?? []}
          recharge={{ orderId, plans: plansOf(product) }}
        />
      ))}
    </>
  );
}

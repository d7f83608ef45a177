/** The sandbox scenarios as repeatable order requests of the client `demo`. */
import { esimScenarios, topupScenarios, voucherScenarios, type Outcome } from '../simulator/sandbox-scenarios';
import { sandboxFaults } from '../../src/domain/orders/sandbox-faults';
import type { Scenario } from './types';

/** Finds the seeded id of the demo product with this SKU. */
export type ProductIds = (sku: string) => number;

/** Every scenario by name, as in `stack.json`. `docs/clients/sandbox.md` describes them. */
export function scenarios(productId: ProductIds): Scenario[] {
  const orders = orderScenarios(productId);
  return [...orders, ...faultScenarios(orders)];
}

/** A voucher order for each fault of the first request. The header works on top-up and eSIM orders, too. */
function faultScenarios(orders: readonly Scenario[]): Scenario[] {
  const instant = orders.filter(({ name }) => name === 'voucher_instant');
  return sandboxFaults.flatMap((fault) =>
    instant.map((scenario) => ({
      ...scenario,
      name: `fault_${fault.replaceAll('-', '_')}`,
      headers: { 'Sandbox-Fault': fault },
    })),
  );
}

/** The scenarios without faults. */
export function orderScenarios(productId: ProductIds): Scenario[] {
  return [
    ...voucherScenarios.map(({ name, sku, denomination, quantity, outcome }) => ({
      ...order(`voucher_${name}`, '/api/v1/orders', outcome),
      body: { product_id: productId(sku), denomination, quantity },
    })),
    ...topupScenarios.map(({ name, digits, outcome }) => ({
      ...order(`topup_${name}`, '/api/v1/topups/orders', outcome),
      body: { product_id: productId('SIM-TU-LIBERTY'), amount: 10, input_data: { phone_number: `12025550${digits}` } },
    })),
    ...esimScenarios.map(({ name, price, outcome }) => ({
      ...order(`esim_${name}`, '/api/v1/esim/orders', outcome),
      body: { product_id: productId('SIM-ESIM-SANDBOX'), amount: Number(price) },
    })),
  ];
}

function order(name: string, path: string, outcome: Outcome) {
  return { name, method: 'POST' as const, path, ...outcome };
}

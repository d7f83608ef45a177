/** The sandbox scenarios as orders that the client `demo` can post as they stand, as often as it likes. */
import { failureCodes } from '../../domain/failure-codes';
import type { Scenario } from './types';

/** Finds the id under which the demo product with this SKU was seeded. */
export type ProductIds = (sku: string) => number;

type Course = Pick<Scenario, 'initial_status' | 'final_status' | 'failure_code'>;

const delivered: Course = { initial_status: 'DELIVERED', final_status: 'DELIVERED' };
const deliveredLater: Course = { initial_status: 'PENDING', final_status: 'DELIVERED' };
const pending: Course = { initial_status: 'PENDING', final_status: 'PENDING' };
const failed: Course = { initial_status: 'FAILED', final_status: 'FAILED' };
const failedLater: Course = { initial_status: 'PENDING', final_status: 'FAILED' };

/** Every scenario by name; what each rehearses is told in `docs/clients/sandbox.md`. */
export function scenarios(productId: ProductIds): Scenario[] {
  return [...voucherScenarios(productId), ...topupScenarios(productId), ...esimScenarios(productId)];
}

function voucherScenarios(productId: ProductIds): Scenario[] {
  const voucher = (name: string, sku: string, denomination: number, quantity: number, course: Course) => ({
    ...order(`voucher_${name}`, '/api/v1/orders', course),
    body: { product_id: productId(sku), denomination, quantity },
  });
  return [
    voucher('instant', 'SIM-GC-COFFEE-US', 10, 1, delivered),
    voucher('url', 'SIM-GC-STREAM-US', 15, 1, delivered),
    voucher('range', 'SIM-GC-MARKET-US', 42.5, 1, delivered),
    voucher('bulk', 'SIM-GC-COFFEE-US', 5, 500, deliveredLater),
    voucher('delayed', 'SIM-GC-DELAYED', 10, 1, deliveredLater),
    voucher('partial', 'SIM-GC-PARTIAL', 10, 10, deliveredLater),
    voucher('partial_then_failed', 'SIM-GC-PARTIAL-THEN-FAILED', 10, 10, failedLater),
    voucher('out_of_stock', 'SIM-GC-OUT-OF-STOCK', 10, 1, failed),
    voucher('timeout_fulfilled', 'SIM-GC-TIMEOUT', 10, 1, deliveredLater),
    voucher('slow', 'SIM-GC-SLOW', 10, 1, deliveredLater),
    voucher('flaky', 'SIM-GC-FLAKY', 10, 1, delivered),
    voucher('needs_operator', 'SIM-GC-NEEDS-OPERATOR', 10, 1, pending),
    voucher('redeemable', 'SIM-GC-HOUSE-US', 25, 1, delivered),
  ];
}

/** The last three digits of the phone number decide. */
function topupScenarios(productId: ProductIds): Scenario[] {
  const topup = (name: string, digits: number, course: Course) => ({
    ...order(`topup_${name}`, '/api/v1/topups/orders', course),
    body: {
      product_id: productId('SIM-TU-LIBERTY'),
      amount: 10,
      input_data: { phone_number: `12025550${digits}` },
    },
  });
  return [
    topup('instant', 100, delivered),
    topup('pending', 101, deliveredLater),
    topup('failed_later', 102, { ...failedLater, failure_code: 'INVALID_RECIPIENT' }),
    topup('flaky', 103, deliveredLater),
    topup('timeout_fulfilled', 104, deliveredLater),
    topup('supplier_blocked', 105, deliveredLater),
    ...failureCodes.map((code, index) =>
      topup(`reject_${code.toLowerCase()}`, 201 + index, { ...failed, failure_code: code }),
    ),
  ];
}

/** The amount picks the plan, and the plan decides. */
function esimScenarios(productId: ProductIds): Scenario[] {
  const esim = (name: string, amount: number, course: Course) => ({
    ...order(`esim_${name}`, '/api/v1/esim/orders', course),
    body: { product_id: productId('SIM-ESIM-SANDBOX'), amount },
  });
  return [
    esim('instant', 5, delivered),
    esim('slow', 5.1, deliveredLater),
    esim('failed_now', 5.2, { ...failed, failure_code: 'PRODUCT_OUT_OF_STOCK' }),
    esim('failed_later', 5.3, { ...failedLater, failure_code: 'PRODUCT_UNAVAILABLE' }),
    esim('flaky', 5.4, delivered),
    esim('timeout_fulfilled', 5.5, delivered),
  ];
}

function order(name: string, path: string, course: Course) {
  return { name, method: 'POST' as const, path, ...course };
}

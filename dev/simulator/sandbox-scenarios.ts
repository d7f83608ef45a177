/**
 * The sandbox scenarios: the client's order, the simulator's behaviour, and the result for the client. The simulator's
 * catalogue and the list in `stack.json` are derived from them. docs/clients/sandbox.md describes each.
 */
import { type RejectionCode, rejectionCodes, type Scenario, scenarios } from './purchases';

/** The response to the client, and the final status of the order. */
export interface Outcome {
  initial_status: 'PENDING' | 'DELIVERED' | 'FAILED';
  final_status: 'PENDING' | 'DELIVERED' | 'FAILED';
  failure_code?: RejectionCode;
}

interface SandboxScenario {
  readonly name: string;
  readonly scenario: Scenario;
  readonly outcome: Outcome;
}

/** The product decides. */
export interface VoucherScenario extends SandboxScenario {
  readonly sku: string;
  readonly denomination: number;
  readonly quantity: number;
}

/** The last three digits of the recipient decide. */
export interface TopupScenario extends SandboxScenario {
  readonly digits: string;
}

/** The amount picks the plan, and the plan decides. */
export interface EsimScenario extends SandboxScenario {
  /** The end of the plan's SKU. */
  readonly suffix: string;
  readonly price: string;
  /** Part of the plan's description. */
  readonly story: string;
  /** Default: 1; 0 is unlimited. */
  readonly dataAmountGb?: number;
}

const delivered: Outcome = { initial_status: 'DELIVERED', final_status: 'DELIVERED' };
const deliveredLater: Outcome = { initial_status: 'PENDING', final_status: 'DELIVERED' };
const pending: Outcome = { initial_status: 'PENDING', final_status: 'PENDING' };
const failed: Outcome = { initial_status: 'FAILED', final_status: 'FAILED' };
const failedLater: Outcome = { initial_status: 'PENDING', final_status: 'FAILED' };

const because = (outcome: Outcome, failure_code: RejectionCode): Outcome => ({ ...outcome, failure_code });

function voucher(
  name: string,
  [sku, denomination, quantity]: [sku: string, denomination: number, quantity: number],
  scenario: Scenario,
  outcome: Outcome,
): VoucherScenario {
  return { name, sku, denomination, quantity, scenario, outcome };
}

/** The denomination whose orders are held for review. */
export const held = { sku: 'SIM-GC-HELD', denomination: 10 } as const;

export const voucherScenarios: readonly VoucherScenario[] = [
  voucher('instant', ['SIM-GC-COFFEE-US', 10, 1], scenarios.instant, delivered),
  voucher('url', ['SIM-GC-STREAM-US', 15, 1], scenarios.instant, delivered),
  voucher('range', ['SIM-GC-MARKET-US', 42.5, 1], scenarios.instant, delivered),
  voucher('bulk', ['SIM-GC-COFFEE-US', 5, 500], scenarios.instant, deliveredLater),
  voucher('delayed', ['SIM-GC-DELAYED', 10, 1], scenarios.deliveredAfter(5_000), deliveredLater),
  voucher('partial', ['SIM-GC-PARTIAL', 10, 10], scenarios.partial, deliveredLater),
  voucher(
    'partial_then_failed',
    ['SIM-GC-PARTIAL-THEN-FAILED', 10, 10],
    scenarios.partialThenRefused,
    because(failedLater, 'PRODUCT_OUT_OF_STOCK'),
  ),
  voucher(
    'out_of_stock',
    ['SIM-GC-OUT-OF-STOCK', 10, 1],
    scenarios.refused('PRODUCT_OUT_OF_STOCK'),
    because(failed, 'PRODUCT_OUT_OF_STOCK'),
  ),
  voucher('timeout_fulfilled', ['SIM-GC-TIMEOUT', 10, 1], scenarios.dropsResponse, deliveredLater),
  voucher('slow', ['SIM-GC-SLOW', 10, 1], scenarios.deliveredAfter(20_000), deliveredLater),
  voucher('flaky', ['SIM-GC-FLAKY', 10, 1], scenarios.flaky, delivered),
  voucher('needs_operator', ['SIM-GC-NEEDS-OPERATOR', 10, 1], scenarios.undecided, pending),
  // The service holds it for review, before the simulator learns of it.
  voucher('held', [held.sku, held.denomination, 1], scenarios.instant, pending),
  voucher('redeemable', ['SIM-GC-HOUSE-US', 25, 1], scenarios.instant, delivered),
];

/** Rejections are 201, 202, ... in the order of the codes. */
export const topupScenarios: readonly TopupScenario[] = [
  { name: 'instant', digits: '100', scenario: scenarios.instant, outcome: delivered },
  { name: 'pending', digits: '101', scenario: scenarios.deliveredAfter(5_000), outcome: deliveredLater },
  {
    name: 'failed_later',
    digits: '102',
    scenario: scenarios.refused('INVALID_RECIPIENT', 5_000),
    outcome: because(failedLater, 'INVALID_RECIPIENT'),
  },
  { name: 'flaky', digits: '103', scenario: scenarios.flaky, outcome: deliveredLater },
  { name: 'timeout_fulfilled', digits: '104', scenario: scenarios.dropsResponse, outcome: deliveredLater },
  { name: 'supplier_blocked', digits: '105', scenario: scenarios.accountBlocked, outcome: deliveredLater },
  ...rejectionCodes.map((code, index) => ({
    name: `reject_${code.toLowerCase()}`,
    digits: String(201 + index),
    scenario: scenarios.refused(code),
    outcome: because(failed, code),
  })),
];

export const esimScenarios: readonly EsimScenario[] = [
  {
    name: 'instant',
    suffix: 'INSTANT',
    price: '5.00',
    story: 'delivered at once',
    scenario: scenarios.instant,
    outcome: delivered,
  },
  {
    name: 'slow',
    suffix: 'SLOW',
    price: '5.10',
    story: 'delivered after 70 seconds',
    scenario: scenarios.deliveredAfter(70_000),
    outcome: deliveredLater,
  },
  {
    name: 'failed_now',
    suffix: 'FAILED-NOW',
    price: '5.20',
    story: 'refused at once',
    scenario: scenarios.refused('PRODUCT_OUT_OF_STOCK'),
    outcome: because(failed, 'PRODUCT_OUT_OF_STOCK'),
  },
  {
    name: 'failed_later',
    suffix: 'FAILED-LATER',
    price: '5.30',
    story: 'refused after 65 seconds',
    scenario: scenarios.refused('PRODUCT_UNAVAILABLE', 65_000),
    outcome: because(failedLater, 'PRODUCT_UNAVAILABLE'),
  },
  {
    name: 'flaky',
    suffix: 'FLAKY',
    price: '5.40',
    story: 'two errors, then delivered',
    scenario: scenarios.flaky,
    outcome: delivered,
  },
  {
    name: 'timeout_fulfilled',
    suffix: 'TIMEOUT',
    price: '5.50',
    story: 'delivered, but the answer is lost',
    scenario: scenarios.dropsResponse,
    outcome: delivered,
  },
  {
    name: 'unlimited',
    suffix: 'UNLIMITED',
    price: '5.60',
    story: 'unlimited data, delivered at once',
    dataAmountGb: 0,
    scenario: scenarios.instant,
    outcome: delivered,
  },
  // Recharges with the field `recharge_order_id`; without it, new profiles like any other.
  {
    name: 'recharge',
    suffix: 'RECHARGE',
    price: '5.70',
    story: 'recharges an eSIM, delivered at once',
    scenario: scenarios.instant,
    outcome: delivered,
  },
  {
    name: 'recharge_lost',
    suffix: 'RECHARGE-LOST',
    price: '5.80',
    story: 'recharges an eSIM, but the answer is lost',
    scenario: scenarios.dropsResponse,
    outcome: delivered,
  },
];

const byDigits = new Map(topupScenarios.map(({ digits, scenario }) => [digits, scenario]));
const byProduct = new Map(voucherScenarios.map(({ sku, scenario }) => [sku, scenario]));

/** The scenario of a top-up for this phone, account or player number. Other endings are delivered immediately. */
export function scenarioForRecipient(recipient: string): Scenario {
  return byDigits.get(recipient.slice(-3)) ?? scenarios.instant;
}

/** The scenario of this voucher. Products without a scenario are delivered immediately. */
export function scenarioForVoucher(sku: string): Scenario {
  return byProduct.get(sku) ?? scenarios.instant;
}

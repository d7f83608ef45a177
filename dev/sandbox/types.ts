/** The shape of the demo clients and scenarios; products are those of the catalogue's import. */
import type { OrderStatus } from '../../src/domain/orders/order-states';
import type { SandboxFault } from '../../src/domain/orders/sandbox-faults';
import type { FailureCode } from '../../src/domain/orders/failure-codes';

export interface DemoWallet {
  currencyCode: string;
  isDefault: boolean;
  /** Credited once, at the creation of the wallet. */
  funds: string;
}

export type DemoClientName = 'demo' | 'other' | 'load' | 'restricted' | 'poor' | 'limited';

export interface DemoClient {
  key: DemoClientName;
  name: string;
  features: { vouchers: boolean; topups: boolean; esim: boolean };
  /** Addresses that may create orders; empty allows all. */
  allowedCidrs: string[];
  /** The highest number of vouchers in one order. */
  bulkLimit: number;
  /** Calls a minute by class, if they differ from those of the mode. */
  rateLimits: Readonly<Record<string, number>>;
  wallets: DemoWallet[];
  /** Discounts of the client on voucher products, in percent of the face value. */
  voucherDiscounts: { sku: string; percent: string }[];
  blacklistedSkus: string[];
}

/** One unit of `from` is worth `rate` units of `to`. */
export interface DemoForexRate {
  from: string;
  to: string;
  rate: string;
  /** Conversion fee of voucher orders in percent; that of the other families is 0. */
  voucherFeePercent: string;
}

/** One scenario that `demo` can post unchanged, as listed in `.run/stack.json`. */
export interface Scenario {
  name: string;
  method: 'POST';
  path: string;
  body: Readonly<Record<string, unknown>>;
  /** For a fault. The statuses are those of the repetition. */
  headers?: { readonly 'Sandbox-Fault': SandboxFault };
  /** The status in the response to the order. */
  initial_status: OrderStatus;
  final_status: OrderStatus;
  failure_code?: FailureCode;
}

/** Every workflow of the service; what is exported here is in the bundle. */
import type { OrderWorkflow } from '../src/domain/orders/families';
import type { OrderStart } from '../src/domain/orders/order-flow';

export { voucherOrder } from './voucher-order';
export { topupOrder } from './topup-order';
export { esimOrder } from './esim-order';
export { esimMonitor } from './esim-monitor';
export { webhookEndpoint } from './webhook-endpoint';
export { runMaintenance } from './maintenance';
export { endpointDisabledMail } from './endpoint-disabled-mail';

/** Held by the compiler: the workflow of every family is exported above. */
type Exporting<Exports extends Readonly<Record<OrderWorkflow, (order: OrderStart) => Promise<unknown>>>> =
  Exports;
export type Workflows = Exporting<typeof import('./index')>;

/** Every workflow of the service: the bundle registers what this file exports. */
import type { OrderWorkflow } from '../src/domain/orders/families';
import type { OrderStart } from '../src/domain/orders/order-messages';

export { voucherOrder } from './voucher-order';
export { topupOrder } from './topup-order';
export { esimOrder } from './esim-order';
export { esimMonitor } from './esim-monitor';
export { webhookEndpoint } from './webhook-endpoint';
export { runMaintenance } from './maintenance';
export { endpointDisabledMail } from './endpoint-disabled-mail';
export { refundImport } from './refund-import';

/** The compiler checks that the workflow of every family is exported above. */
type Exporting<Exports extends Readonly<Record<OrderWorkflow, (order: OrderStart) => Promise<unknown>>>> = Exports;
export type Workflows = Exporting<typeof import('./index')>;

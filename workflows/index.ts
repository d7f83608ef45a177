/** Every workflow of the service: the bundle registers what this file exports. */
import type { OrderWorkflow } from '../src/domain/orders/families';
import type { OrderStart } from '../src/domain/orders/order-messages';

// The families share one workflow. The workflow type shows operators the family of an order.
export {
  sellOrder as voucherOrder,
  sellOrder as topupOrder,
  sellOrder as esimOrder,
} from './order-life-cycle';
export { esimMonitor } from './esim-monitor';
export { webhookEndpoint } from './webhook-endpoint';
export { runMaintenance } from './maintenance';
export { endpointDisabledMail } from './endpoint-disabled-mail';
export { refundImport } from './refund-import';

/** The compiler checks that the workflow of every family is exported above. */
type Exporting<Exports extends Readonly<Record<OrderWorkflow, (order: OrderStart) => Promise<unknown>>>> =
  Exports;
export type Workflows = Exporting<typeof import('./index')>;

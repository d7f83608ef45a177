/** Every workflow of the service; what is exported here is in the bundle. */
export { voucherOrder } from './voucher-order';
export { topupOrder } from './topup-order';
export { esimOrder } from './esim-order';
export { esimLife } from './esim-life';
export { webhookEndpoint } from './webhook-endpoint';
export { runMaintenance } from './maintenance';
export { endpointDisabledMail } from './endpoint-disabled-mail';

/** Separate task queues, so that slow work does not delay other work. */

/** Workflows of orders, and the purchases of all but large orders. */
export const ordersQueue = 'orders';

/** Database steps of orders, so that a hanging supplier does not delay settlements. */
export const stepsQueue = 'order-steps';

/** Purchases of large orders, so that an order of 5,000 units does not delay an order of one unit. */
export const bulkQueue = 'bulk-purchases';

/** Polls of open purchases, so that slow polls do not delay purchases. */
export const pollingQueue = 'supplier-questions';

/** The activities of `pollingQueue` that a worker runs at the same time. The orders of one supplier hold at most half of them. */
export const maxPolls = 50;

/** Mail, so that a hanging mail server delays only mail. */
export const mailQueue = 'mail';

/** Maintenance: the tasks that schedules run (`src/domain/maintenance.ts`). */
export const backgroundQueue = 'background';

/** Webhooks: the workflows of endpoints and their deliveries, which wait for clients' servers. */
export const webhooksQueue = 'webhooks';

/** eSIM monitors, which run for months, and their polls of suppliers. */
export const esimQueue = 'esim-lives';

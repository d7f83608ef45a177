/** Task queues keep who waits apart from who does not. */

/** Orders: their workflows, and the purchases that a request waits for. */
export const ordersQueue = 'orders';

/** Database steps of orders, so that no supplier that hangs delays a settlement. */
export const stepsQueue = 'order-steps';

/** Purchases of large orders, so that an order of 5,000 does not delay an order of one. */
export const bulkQueue = 'bulk-purchases';

/** Questions about purchases under way, so that a supplier that is slow to answer them holds up no purchase. */
export const questionsQueue = 'supplier-questions';

/** Mail, so that a mail server that hangs delays nothing but mail. */
export const mailQueue = 'mail';

/** What runs beside orders: maintenance. */
export const backgroundQueue = 'background';

/** Webhooks: the workflows of endpoints and their sends, which wait for other people's servers. */
export const webhooksQueue = 'webhooks';

/** eSIMs: the workflows that follow them for months, and their questions to suppliers. */
export const esimQueue = 'esim-lives';

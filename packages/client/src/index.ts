export { DigitalGoods } from './client.ts';
export { etagOf, NOT_MODIFIED, type ConditionalOptions, type NotModified, type Read } from './conditional.ts';
export type { CreateOptions } from './create-order.ts';
export * from './errors.ts';
export type * from './models.ts';
export type { List, Page } from './pages.ts';
export type { CallOptions, Settings } from './transport.ts';
export { verifyWebhook, type WebhookHeaders } from './verify-webhook.ts';
export type { WaitOptions } from './wait-for-order.ts';

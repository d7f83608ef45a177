export * from './errors.ts';
export { verifyWebhook, type WebhookHeaders } from './verify-webhook.ts';

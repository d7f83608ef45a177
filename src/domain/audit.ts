/** What is written down of who did what. docs/operators/operations.md#who-did-what. */

/** Calls of clients that somebody with a stolen token would make. */
export type AuditedAction =
  | 'webhook_endpoint.created'
  | 'webhook_endpoint.changed'
  | 'webhook_endpoint.deleted'
  | 'webhook_endpoint.replayed'
  | 'webhook_secret.shown'
  | 'webhook_secret.rotated'
  | 'webhook_event.redelivered'
  | 'wallet_threshold.changed'
  | 'notification_email.changed';

/** Who called, as the request shows it. */
export interface Caller {
  clientId: number;
  /** The API key of the session; null if its token does not name it. */
  apiKeyId: number | null;
  /** The client's address, as far as proxies are trusted. */
  address: string | null;
  requestId: string;
}

/** One entry, beside who called. `before` and `after` hold no secrets. */
export interface AuditEntry {
  action: AuditedAction;
  /** What it was done to: `webhook_endpoint/3`. */
  object: string;
  before?: object;
  after?: object;
}

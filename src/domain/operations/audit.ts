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
  | 'notification_email.changed'
  | 'sandbox_wallet.funded'
  | 'sandbox_esim.changed'
  | 'sandbox_order.cancelled';

/** What operators do by the tool that is more than a change of a row, which the database writes down by itself. */
export type OperatorAction =
  | 'sessions.ended'
  | 'mail.resent'
  | 'supplier_words.read'
  | 'stock.refreshed'
  | 'secret_values.resealed'
  | 'secret_values.rehashed'
  | 'schema.migrated'
  | 'database.prepared'
  | 'deployment.current_changed'
  | 'deployment.stragglers_moved';

/** Who called, as the request shows it. */
export interface Caller {
  clientId: number;
  /** The API key of the session; null if no session made the call. */
  apiKeyId: number | null;
  /** The client's address, as far as proxies are trusted. */
  address: string | null;
  requestId: string;
}

/** An operator does by the tool what its client could do: the session of the database says who it is. */
export interface OperatorOf {
  clientId: number;
  by: 'OPERATOR';
}

/** Who acts on what belongs to a client. */
export type Actor = Caller | OperatorOf;

/** One entry, beside who called. `before` and `after` hold no secrets. */
export interface AuditEntry<Action = AuditedAction> {
  action: Action;
  /** What it was done to: `webhook_endpoint/3`. */
  object: string;
  before?: object;
  after?: object;
}

/** By whom Temporal is called in the name of an operator of the tool: its histories keep it. */
export const toolIdentity = (operator: string): string => `ops/${operator}`;

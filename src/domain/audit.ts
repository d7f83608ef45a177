/** The entries of the audit. docs/operators/audit.md. */

/** The audited calls of clients: sign-ins, and those that an attacker with a stolen token would make. */
export type AuditedAction =
  | 'webhook_endpoint.created'
  | 'webhook_endpoint.changed'
  | 'webhook_endpoint.deleted'
  | 'webhook_endpoint.replayed'
  | 'webhook_secret.shown'
  | 'webhook_secret.rotated'
  | 'webhook_event.redelivered'
  | 'wallet_threshold.changed'
  | 'funding_request.cancelled'
  | 'notification_email.changed'
  | 'sandbox_wallet.funded'
  | 'sandbox_esim.changed'
  | 'sandbox_order.cancelled'
  | 'sandbox_order.released'
  | 'sandbox_claim.decided'
  | 'session.started'
  | 'codes.shown'
  | 'api_key.created'
  | 'api_key.rolled'
  | 'api_key.revoked'
  | 'allowed_networks.changed'
  | 'member.invited'
  | 'member.changed'
  | 'member.removed'
  | 'member.unlocked'
  | 'member.joined'
  | 'member.session_ended'
  | 'second_factor_rule.changed'
  | 'recipient.erased';

/** Actions of operators that change no rows. The database itself records every change of a row. */
export type OpsAction =
  | 'sessions.ended'
  | 'client.closed'
  | 'esim.polled'
  | 'mail.resent'
  | 'supplier_words.read'
  | 'recipient.revealed'
  | 'person.invited'
  | 'person.uninvited'
  | 'person.role_changed'
  | 'person.suspended'
  | 'person.resumed'
  | 'person.unlocked'
  | 'person.second_factor_removed'
  | 'person.session_ended'
  | 'service_account.created'
  | 'service_account.revoked'
  | 'maintenance.triggered'
  | 'maintenance.paused'
  | 'maintenance.resumed'
  | 'stock.refreshed'
  | 'catalogue.synced'
  | 'secret_values.resealed'
  | 'secret_values.rehashed'
  | 'schema.migrated'
  | 'database.prepared'
  | 'deployment.current_changed'
  | 'deployment.stragglers_moved'
  | SentAction;

/**
 * Calls that an operator sent to Temporal through the Temporal UI. Whether a workflow took the call is another entry, such as
 * `workflow.signalled`, which maintenance copies from its history.
 */
export type SentAction =
  | 'workflow.signal_sent'
  | 'workflow.update_sent'
  | 'workflow.cancel_sent'
  | 'workflow.reset_sent'
  | 'workflow.terminate_sent'
  | 'activity.pause_sent'
  | 'activity.unpause_sent'
  | 'activity.reset_sent'
  | 'activity.update_options_sent'
  | 'activity.complete_sent';

/** Who calls for a client: a program, through a session of an API key, or a member through the console. */
export interface CallerIds {
  clientId: number;
  /** The API key of the session; null for a member. */
  apiKeyId: number | null;
  memberId: number | null;
  /** The session of the key; null for a member. */
  sessionId: string | null;
}

/** Who made a call, as the request shows it. Without key and member, no session made it. */
export interface AuditedCaller extends Omit<CallerIds, 'sessionId'> {
  /** The client's address behind trusted proxies. */
  address: string | null;
  requestId: string;
}

/** An operator who acts for a client with the ops CLI. The database session identifies the operator. */
interface OperatorForClient {
  clientId: number;
  by: 'OPERATOR';
}

/** Who acts on the data of a client. */
export type Actor = AuditedCaller | OperatorForClient;

/** One entry without its caller. `before` and `after` contain no secrets. */
export interface AuditEntry<Action = AuditedAction> {
  action: Action;
  /** The changed object, such as `webhook_endpoint/3`. */
  object: string;
  before?: object;
  after?: object;
}

/** The identity with which the ops CLI calls Temporal: histories record it. */
export const opsIdentity = (operator: string): string => `ops/${operator}`;

/** The name in an operator of the audit, which is such an identity if the entry was copied from a history. */
export const nameOfOperator = (operator: string): string => operator.replace(/^ops\//, '');

/**
 * How long rows are kept before maintenance deletes them, as intervals of PostgreSQL. docs/operators/maintenance.md#retention.
 *
 * The retention of events is a setting (`EVENT_RETENTION_DAYS`), that of audit entries a function of the database
 * (`audit_retention`), because a trigger enforces it.
 * Rule: how long rows are kept
 */
export const retention = {
  /** Counts from the order request. */
  idempotencyKey: `interval '7 days'`,
  /** A fault that a client of a sandbox rehearsed. Counts from its first request. */
  sandboxFault: `interval '7 days'`,
  /** Counts from the order request. Longer while the order is open or its mail is due. */
  decidedReservation: `interval '30 days'`,
  /** Counts from the expiry, so that no deleted token is just being rotated. */
  expiredRefreshToken: `interval '1 hour'`,
  /** Events that a redelivery or a replay sent again. Counts from the request. */
  webhookResend: `interval '1 day'`,
  /** In the log of clients' API requests. */
  apiRequest: `interval '7 days'`,
  /** Counts of order requests that got 503 or 504. */
  orderRejection: `interval '1 day'`,
  /** Order requests that no source could serve with the minimum margin. */
  marginRejection: `interval '1 day'`,
  /** Counts from the moment at which the entry of the attention list was cleared. */
  clearedAttention: `interval '90 days'`,
  /** What one person moved. Rules of approval count 24 hours. */
  countedOperation: `interval '2 days'`,
  /** The client's text in a funding request. Counts from its end. */
  purchaseOrder: `interval '400 days'`,
  /** The texts of an entry of a bank. Counts from the moment at which it was credited or ignored. */
  endedBankText: `interval '400 days'`,
  /** A file of the feed of rates. Counts from its day. Steps of the feed are compared with the file of 30 days before. */
  fetchedRates: `interval '400 days'`,
  /** The keys that a process holds, counted from its last heartbeat. */
  silentProcess: `interval '1 hour'`,
  /** Counts from the deletion by the client. No transaction that read the endpoint before runs that long. */
  deletedEndpoint: `interval '1 hour'`,
} as const;

/** What the story of an order shows besides its rows: its money, its mail, and its entries on the attention list. */
import type { AttentionKind } from '../../domain/attention/attention-kinds';
import type { ClaimState } from '../../domain/orders/claim-kinds';
import { oneRow, rows, type Database } from '../database/database';

/** The money and the mail of an order. Amounts are decimal strings in the wallet's currency. */
export interface OrderMoney {
  currency: string;
  /** What was taken from the wallet. */
  debited: string;
  refunded: string;
  /** What was charged and is not refunded, not even later; null while the order is open. */
  kept: string | null;
  /** What refunds can still give back, less the prices of replaced units; null while the order is open. */
  refundable: string | null;
  /** A refund that is due and not credited; null without one. */
  refundDue: string | null;
  /** That refund and those after delivery that wait for their credit; null without one. */
  toGiveBack: string | null;
  /** The value of the voucher that paid for the order; null without one. */
  redeemed: string | null;
  /** The supplier of the newest purchase that a supplier has or may have; null without one. */
  withSupplier: string | null;
  replacesOrderId: number | null;
  isBeyondCap: boolean;
  /** Of an ended order; null if the cost of a purchase is unknown, or if it is not read. */
  cost: string | null;
  margin: string | null;
  currencyDifference: string | null;
  walletId: number;
  isWalletClosed: boolean;
  hasEmail: boolean;
  /** Whether the result was mailed, or its mail was given up. */
  isMailDone: boolean;
}

// A redemption pays for the order, and is no refund.
const moneyStatement = `
SELECT o.deduction_currency AS currency, o.wallet_id AS "walletId", wallet.closed_at IS NOT NULL AS "isWalletClosed",
       o.sealed_email IS NOT NULL AS "hasEmail", num_nonnulls(o.mailed_at, o.mail_given_up_at) > 0 AS "isMailDone",
       decimal_text(CASE WHEN o.transaction_id IS NULL THEN 0 ELSE o.total_payable END, o.deduction_currency) AS debited,
       decimal_text(paid.back, o.deduction_currency) AS refunded,
       CASE WHEN o.completed_at IS NOT NULL THEN decimal_text(kept_debit(o) - refunded_after(o), o.deduction_currency) END AS kept,
       CASE WHEN o.completed_at IS NOT NULL
            THEN trim_scale(kept_debit(o) - (SELECT amount FROM settled_units(o.id)))::text END AS refundable,
       decimal_text(waiting.automatic, o.deduction_currency) AS "refundDue",
       decimal_text(CASE WHEN num_nonnulls(waiting.automatic, waiting.after) > 0
                         THEN coalesce(waiting.automatic, 0) + coalesce(waiting.after, 0) END, o.deduction_currency) AS "toGiveBack",
       decimal_text(paid.redeemed, o.deduction_currency) AS redeemed,
       (SELECT supplier FROM supplier_purchases WHERE order_id = o.id AND state IN ('SENT', 'PENDING')
         ORDER BY batch DESC LIMIT 1) AS "withSupplier",
       o.replaces_order_id AS "replacesOrderId", coalesce(o.failure_code = 'CLIENT_LIMIT_EXCEEDED', false) AS "isBeyondCap",
       decimal_text(earned.cost, o.deduction_currency) AS cost, decimal_text(earned.margin, o.deduction_currency) AS margin,
       decimal_text(earned.currency_difference, o.deduction_currency) AS "currencyDifference"
  FROM orders o JOIN wallets wallet ON wallet.id = o.wallet_id LEFT JOIN LATERAL order_margin(o) earned ON $withCosts::boolean
 CROSS JOIN LATERAL (
   SELECT coalesce(sum(amount) FILTER (WHERE kind <> 'REDEMPTION'), 0) AS back,
          coalesce(sum(amount) FILTER (WHERE kind = 'REFUND'), 0) AS automatic, sum(amount) FILTER (WHERE kind = 'REDEMPTION') AS redeemed
     FROM transactions WHERE order_id = o.id AND transaction_type = 'CREDIT') paid
 CROSS JOIN LATERAL (
   SELECT CASE WHEN o.status IN ('FAILED', 'CANCELLED') AND refund_due(o) > paid.automatic
               THEN refund_due(o) - paid.automatic END AS automatic,
          (SELECT sum(amount) FROM order_refunds WHERE order_id = o.id AND transaction_id IS NULL) AS after) waiting
 WHERE o.id = $orderId`;

/** The money and the mail of the order, which exists. `withCosts`: whether to read cost and margin. */
export function readOrderMoney(
  database: Database,
  orderId: number,
  { withCosts = false }: { withCosts?: boolean } = {},
): Promise<OrderMoney> {
  return oneRow<OrderMoney>(database, moneyStatement, { orderId, withCosts });
}

/** An entry of the ledger about an order. */
export interface OrderEntry {
  kind: string;
  /** A decimal string with the decimals of the wallet's currency; below 0 for a debit. */
  amount: string;
  at: Date;
}

/** The entries of the order in the ledger, the oldest first. */
export function listOrderEntries(database: Database, orderId: number) {
  return rows<OrderEntry>(
    database,
    `SELECT kind, decimal_text(CASE transaction_type WHEN 'DEBIT' THEN -entry.amount ELSE entry.amount END, wallet.currency_code) AS amount,
            entry.created_at AS at
       FROM transactions entry JOIN wallets wallet ON wallet.id = entry.wallet_id WHERE order_id = $orderId ORDER BY entry.id`,
    { orderId },
  );
}

/** An entry of the attention list, open or cleared. */
export interface PastAttention {
  kind: AttentionKind;
  reason: string;
  since: Date;
  cleared_at: Date | null;
  /** The reason of a person who settled it. */
  settlement: string | null;
  /** The operator whose operation cleared it; null if the service did. */
  cleared_by: string | null;
}

/** The entries of the order on the attention list, also those that were cleared. */
export function listPastAttention(database: Database, orderId: number) {
  return rows<PastAttention>(
    database,
    `SELECT kind, reason, since, cleared_at, settlement, (
              SELECT audited.operator FROM audit_entries audited
               WHERE audited.object = 'attention/' || attention.id AND audited.after ->> 'cleared_at' = rfc3339(cleared_at)
               ORDER BY audited.at DESC LIMIT 1) AS cleared_by
       FROM attention WHERE order_id = $orderId ORDER BY since, id`,
    { orderId },
  );
}

/** What an operator did about an entry of the attention list, which stays on it or has returned to it since. */
export interface AttentionWork {
  at: Date;
  kind: AttentionKind;
  did: 'TOOK' | 'RELEASED' | 'NOTED' | 'ENDED';
  operator: string | null;
  /** The note, or the reason. */
  text: string | null;
  /** RELEASED: who had taken the entry. */
  holder: string | null;
}

// The end of an entry ends its taking, too: that is no release.
const attentionWorkStatement = `
WITH entry AS (SELECT id, kind, cleared_at FROM attention WHERE order_id = $orderId)
SELECT at, kind, CASE action WHEN 'attention_taking.created' THEN 'TOOK' ELSE 'RELEASED' END AS did, operator, reason AS text,
       before ->> 'operator' AS holder
  FROM entry JOIN audit_entries ON object = 'attention_taking/' || entry.id
 WHERE action = 'attention_taking.created' OR command = 'attention release'
UNION ALL
SELECT noted_at, kind, 'NOTED', operator, note, NULL FROM entry JOIN attention_notes note ON note.attention_id = entry.id
UNION ALL
SELECT at, kind, 'ENDED', operator, reason, NULL FROM entry JOIN audit_entries ON object = 'attention/' || entry.id
 WHERE after ->> 'cleared_at' IS DISTINCT FROM rfc3339(entry.cleared_at) AND after ->> 'cleared_at' IS NOT NULL
 ORDER BY at DESC LIMIT $limit`;

/** The newest work of operators on the order's entries of the attention list, at most `limit`. */
export function listAttentionWork(database: Database, orderId: number, limit: number) {
  return rows<AttentionWork>(database, attentionWorkStatement, { orderId, limit });
}

/** What an operator decided about a claim. `OPEN`: that it is opened for the client. */
export interface ClaimDecision {
  claimId: number;
  at: Date;
  operator: string | null;
  approver: string | null;
  reason: string | null;
  state: ClaimState;
  /** The order of the refund: the one that was paid for the unit. */
  refundOrderId: number | null;
  refundNumber: number | null;
  replacementOrderId: number | null;
}

/** The newest decisions of operators about the claims of the order, at most `limit`. */
export function listClaimDecisions(database: Database, orderId: number, limit: number) {
  return rows<ClaimDecision>(
    database,
    `SELECT claim.id AS "claimId", entry.at, entry.operator, entry.approver, entry.reason, entry.after ->> 'state' AS state,
            (entry.after ->> 'refund_order_id')::bigint AS "refundOrderId",
            (entry.after ->> 'refund_number')::integer AS "refundNumber",
            (entry.after ->> 'replacement_order_id')::bigint AS "replacementOrderId"
       FROM claims claim JOIN audit_entries entry ON entry.object = 'claim/' || claim.id
      WHERE claim.order_id = $orderId AND entry.action IN ('claim.created', 'claim.changed') AND entry.after -> 'state' IS NOT NULL
      ORDER BY entry.at DESC, entry.id DESC LIMIT $limit`,
    { orderId, limit },
  );
}

/** What the database says after a run about claims, refunds, replacements and the approvals of a second person. */
import { query } from '../../stack/postgres';
import { replacementOf, type AfterSale } from '../actors/after-sale';

export interface ClaimFact {
  id: number;
  orderId: number;
  /** Null for top-ups and eSIMs. */
  unit: number | null;
  state: string;
  outcome: string | null;
  refundNumber: number | null;
  /** The order that replaces its unit; null if it failed. */
  replacementId: number | null;
}

/** What an operator gave a client after delivery. */
interface GivenFact {
  /** The delivered order. */
  orderId: number;
  clientId: number;
  /** A decimal in the currency of the wallet: what the rules of approval count. */
  amount: string;
  /** Milliseconds by the clock of the database, which steps. */
  at: number;
  operator: string;
  approver: string | null;
  /** Of a refund, the operator's own. Of a replacement, the harness's name for the claim (`replacementOf`). */
  reference: string;
}

/** A refund after delivery. */
export interface RefundFact extends GivenFact {
  number: number;
  /** Null for an amount. */
  units: number | null;
  /** The named unit. */
  unit: number | null;
}

/** An order that replaces a unit. Its `amount` is the price of the unit, which the old order has less to refund. */
export interface ReplacementFact extends GivenFact {
  /** The order that replaces the unit. */
  id: number;
  unit: number;
  status: string;
}

/** A proposed refund, or a proposed acceptance of a claim. */
export interface ProposalFact {
  id: number;
  state: string;
  decidedBy: string | null;
  /** The reference of the refund or the replacement that it asks for. */
  reference: string;
}

export interface AfterSaleFacts {
  claims: ClaimFact[];
  refunds: RefundFact[];
  replacements: ReplacementFact[];
  proposals: ProposalFact[];
}

const CLAIMS = `
  SELECT id::integer, order_id::integer AS "orderId", unit, state, outcome, refund_number AS "refundNumber",
         replacement_order_id::integer AS "replacementId" FROM claims ORDER BY id`;

const REFUNDS = `
  SELECT refund.order_id::integer AS "orderId", entry.client_id AS "clientId", refund.number, refund.reference, refund.units, refund.unit,
         trim_scale(refund.amount)::text AS amount, (extract(epoch FROM refund.created_at) * 1000)::float8 AS at,
         refund.operator, audited.approver
    FROM order_refunds refund JOIN transactions entry ON entry.id = refund.transaction_id
    LEFT JOIN audit_entries audited
      ON audited.action = 'transaction.created' AND audited.object = 'transaction/' || refund.transaction_id`;

/** The audit has the claim of a failed replacement, too, although the claim names it no more. */
const REPLACEMENTS = `
  SELECT o.id::integer, o.replaces_order_id::integer AS "orderId", o.replaces_unit AS unit, o.client_id AS "clientId", o.status,
         trim_scale(o.replaced_price)::text AS amount, (extract(epoch FROM audited.at) * 1000)::float8 AS at, audited.operator,
         audited.approver, split_part(audited.object, '/', 2)::integer AS claim
    FROM orders o
    LEFT JOIN audit_entries audited
      ON audited.action = 'claim.changed' AND (audited.after ->> 'replacement_order_id')::bigint = o.id
   WHERE o.replaces_order_id IS NOT NULL ORDER BY o.id`;

const PROPOSALS = `
  SELECT id, state, decided_by AS "decidedBy" FROM approval_proposals
   WHERE operation IN ('orders refund', 'claims accept') ORDER BY id`;

export async function readAfterSale(afterSale: AfterSale, databaseUrl: string): Promise<AfterSaleFacts> {
  const proposals: ProposalFact[] = [];
  for (const proposal of await query<Omit<ProposalFact, 'reference'>>(databaseUrl, PROPOSALS)) {
    proposals.push({ ...proposal, reference: await afterSale.referenceOf(proposal.id) });
  }
  type StoredReplacement = Omit<ReplacementFact, 'reference'> & { claim: number };
  const replacements = await query<StoredReplacement>(databaseUrl, REPLACEMENTS);
  return {
    claims: await query<ClaimFact>(databaseUrl, CLAIMS),
    refunds: await query<RefundFact>(databaseUrl, REFUNDS),
    replacements: replacements.map(({ claim, ...one }) => ({ ...one, reference: replacementOf(claim) })),
    proposals,
  };
}

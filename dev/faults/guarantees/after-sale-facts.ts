/** What the database says after a run about claims, refunds and the approvals of a second person. */
import { query } from '../../stack/postgres';
import type { AfterSale } from '../actors/after-sale';

export interface ClaimFact {
  id: number;
  orderId: number;
  /** Null for top-ups and eSIMs. */
  unit: number | null;
  state: string;
  outcome: string | null;
  refundNumber: number | null;
}

/** A refund after delivery. */
export interface RefundFact {
  orderId: number;
  clientId: number;
  number: number;
  /** The operator's own. */
  reference: string;
  /** Null for an amount. */
  units: number | null;
  /** The named unit. */
  unit: number | null;
  /** A decimal in the currency of the wallet. */
  amount: string;
  /** Milliseconds by the clock of the database, which steps. */
  at: number;
  operator: string;
  approver: string | null;
}

/** A proposed refund, or a proposed acceptance of a claim. */
export interface ProposalFact {
  id: number;
  state: string;
  decidedBy: string | null;
  /** The reference of the refund that it asks for. */
  reference: string;
}

export interface AfterSaleFacts {
  claims: ClaimFact[];
  refunds: RefundFact[];
  proposals: ProposalFact[];
}

const CLAIMS = `
  SELECT id::integer, order_id::integer AS "orderId", unit, state, outcome, refund_number AS "refundNumber" FROM claims ORDER BY id`;

const REFUNDS = `
  SELECT refund.order_id::integer AS "orderId", entry.client_id AS "clientId", refund.number, refund.reference, refund.units, refund.unit,
         trim_scale(refund.amount)::text AS amount, (extract(epoch FROM refund.created_at) * 1000)::float8 AS at,
         refund.operator, audited.approver
    FROM order_refunds refund JOIN transactions entry ON entry.id = refund.transaction_id
    LEFT JOIN audit_entries audited
      ON audited.action = 'transaction.created' AND audited.object = 'transaction/' || refund.transaction_id`;

const PROPOSALS = `
  SELECT id, state, decided_by AS "decidedBy" FROM approval_proposals
   WHERE operation IN ('orders refund', 'claims accept') ORDER BY id`;

export async function readAfterSale(afterSale: AfterSale, databaseUrl: string): Promise<AfterSaleFacts> {
  const proposals: ProposalFact[] = [];
  for (const proposal of await query<Omit<ProposalFact, 'reference'>>(databaseUrl, PROPOSALS)) {
    proposals.push({ ...proposal, reference: await afterSale.referenceOf(proposal.id) });
  }
  return {
    claims: await query<ClaimFact>(databaseUrl, CLAIMS),
    refunds: await query<RefundFact>(databaseUrl, REFUNDS),
    proposals,
  };
}

/** Checks that claims agree with their refunds, their credits of suppliers and their events. docs/specification.md#claims. */
import { keptSince } from './events';
import type { Scan } from './scan';
import { paidUnits } from './units';

const claims: Scan = {
  subject: 'claim',
  rows: `
    WITH RECURSIVE ${keptSince}, ${paidUnits}
    SELECT claim.id, claim.state, claim.outcome, claim.changes, claim.refund_number, coalesce(written.events, 0) AS events,
           claim.created_at >= kept.since AS is_kept, refund.reference, coalesce((claim.refund_order_id, refund.for_unit)
             <> (coalesce(paid.order_id, claim.order_id), coalesce(paid.unit, claim.unit, 1)), false) AS refunds_other,
           refund.transaction_id IS NOT NULL AS is_credited, claim.replacement_order_id, replacement.status AS replacement_status,
           (replacement.replaces_order_id, replacement.replaces_unit) IS DISTINCT FROM (claim.order_id, coalesce(claim.unit, 1)) AS replaces_other,
           claim.supplier_credit_value AS credit, recorded.newest, recorded.total
      FROM kept CROSS JOIN claims claim
      LEFT JOIN order_refunds refund ON refund.order_id = claim.refund_order_id AND refund.number = claim.refund_number
      LEFT JOIN paid_unit paid ON paid.replacing_id = claim.order_id
      LEFT JOIN orders replacement ON replacement.id = claim.replacement_order_id
      LEFT JOIN (SELECT (data ->> 'id')::bigint AS id, count(*) AS events FROM events WHERE type = 'claim.updated' GROUP BY 1) written
        ON written.id = claim.id
      LEFT JOIN (SELECT claim_id, (array_agg(value ORDER BY id DESC))[1] AS newest, sum(change) AS total
                   FROM supplier_credits GROUP BY claim_id) recorded ON recorded.claim_id = claim.id`,
  checks: {
    'claim-refund': {
      wrong: `refund_number IS NOT NULL
              AND (reference IS DISTINCT FROM 'claim-' || id OR (outcome IS NOT DISTINCT FROM 'REFUNDED') <> is_credited
                   OR refunds_other)`,
      says: `format('is %s with the outcome %s; its refund %s has the reference %s and is %s', state, coalesce(outcome, 'none'),
               refund_number, coalesce(reference, 'none'), CASE WHEN is_credited THEN 'credited' ELSE 'not credited' END)`,
    },
    'claim-replacement': {
      wrong: `replacement_order_id IS NOT NULL
              AND (replaces_other OR (outcome IS NOT DISTINCT FROM 'REPLACED') <> (replacement_status = 'DELIVERED')
                   OR replacement_status IN ('FAILED', 'CANCELLED'))`,
      says: `format('is %s with the outcome %s; its replacement %s is %s', state, coalesce(outcome, 'none'), replacement_order_id,
               coalesce(replacement_status, 'missing'))`,
    },
    'claim-credit': {
      wrong: 'credit IS DISTINCT FROM newest OR credit IS DISTINCT FROM total',
      says: `format('has a credit worth %s; the last recorded one is worth %s, and all add up to %s', coalesce(trim_scale(credit)::text, 'nothing'),
               coalesce(trim_scale(newest)::text, 'nothing'), coalesce(trim_scale(total)::text, 'nothing'))`,
    },
    'claim-event': {
      wrong: 'events > changes OR is_kept AND events < changes',
      says: `format('changed %s times; %s events were written', changes, events)`,
    },
  },
};

export const claimScans = [claims];

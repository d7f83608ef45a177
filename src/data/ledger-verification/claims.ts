/** Checks that claims agree with their refunds and events. docs/specification.md#claims. */
import { keptSince } from './events';
import type { Scan } from './scan';

const claims: Scan = {
  subject: 'claim',
  rows: `
    WITH ${keptSince}
    SELECT claim.id, claim.state, claim.outcome, claim.changes, claim.refund_number, coalesce(written.events, 0) AS events,
           claim.created_at >= kept.since AS is_kept, refund.reference, refund.unit AS refunded_unit, claim.unit,
           refund.transaction_id IS NOT NULL AS is_credited
      FROM kept CROSS JOIN claims claim
      LEFT JOIN order_refunds refund ON refund.order_id = claim.order_id AND refund.number = claim.refund_number
      LEFT JOIN (SELECT (data ->> 'id')::bigint AS id, count(*) AS events FROM events WHERE type = 'claim.updated' GROUP BY 1) written
        ON written.id = claim.id`,
  checks: {
    'claim-refund': {
      wrong: `refund_number IS NOT NULL
              AND (reference IS DISTINCT FROM 'claim-' || id OR (outcome IS NOT DISTINCT FROM 'REFUNDED') <> is_credited
                   OR refunded_unit <> unit)`,
      says: `format('is %s with the outcome %s; its refund %s has the reference %s and is %s', state, coalesce(outcome, 'none'),
               refund_number, coalesce(reference, 'none'), CASE WHEN is_credited THEN 'credited' ELSE 'not credited' END)`,
    },
    'claim-event': {
      wrong: 'events > changes OR is_kept AND events < changes',
      says: `format('changed %s times; %s events were written', changes, events)`,
    },
  },
};

export const claimScans = [claims];

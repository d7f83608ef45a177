/**
 * Checks refunds after delivery: each credited row has exactly its ledger entry and its event, each row that waits is listed, and the
 * rows of an order stay within what it kept and delivered. docs/specification.md#refunds.
 */
import { keptSince } from './events';
import { hasEnded, money, type Scan } from './scan';
import { paidUnits } from './units';

const rows: Scan = {
  subject: 'refund',
  rows: `
    WITH ${keptSince}
    SELECT coalesce(refund.order_id || '-r' || refund.number, entry.reference_number) AS id, refund.transaction_id, entry.id AS entry,
           refund.amount, entry.amount AS posted, coalesce(written.events, 0) AS events,
           entry.id IS NOT NULL AND entry.created_at >= kept.since AS is_kept,
           (entry.order_id, entry.amount, entry.reference_number)
             IS DISTINCT FROM (refund.order_id, refund.amount, 'order-' || refund.order_id || '-r' || refund.number) AS differs,
           refund.order_id IS NOT NULL AND refund.transaction_id IS NULL AS waits,
           listed.order_id IS NOT NULL OR EXISTS (
             SELECT FROM refund_import_lines line JOIN refund_imports import ON import.id = line.import_id
              WHERE line.order_id = refund.order_id AND line.number = refund.number AND import.ended_at IS NULL) AS is_known
      FROM kept CROSS JOIN (order_refunds refund
      FULL JOIN (SELECT * FROM transactions WHERE kind = 'REFUND_AFTER') entry ON entry.id = refund.transaction_id)
      LEFT JOIN (SELECT order_id, data ->> 'refund_id' AS number, count(*) AS events FROM events
                  WHERE type IN ('order.refunded', 'topup.refunded', 'esim.refunded') GROUP BY 1, 2) written
        ON written.order_id = refund.order_id AND written.number = refund.number::text
      LEFT JOIN (SELECT DISTINCT order_id FROM attention
                  WHERE kind = 'REFUND_AFTER_DUE' AND cleared_at IS NULL) listed ON listed.order_id = refund.order_id`,
  checks: {
    'refund-entry': {
      wrong: 'NOT waits AND differs',
      says: `format('is of %s and names transaction %s; entry %s is of %s', coalesce(trim_scale(amount)::text, 'no row'),
               coalesce(transaction_id::text, 'none'), coalesce(entry::text, 'none'), coalesce(trim_scale(posted)::text, 'nothing'))`,
    },
    'refund-event': {
      wrong: 'events > 1 OR events = 1 AND entry IS NULL OR events = 0 AND entry IS NOT NULL AND is_kept',
      says: `format('%s events were written for entry %s', events, coalesce(entry::text, 'none'))`,
    },
    'refund-waiting': {
      wrong: 'waits AND NOT is_known',
      says: `'is not credited: no running import has it, and its order is not on the attention list as REFUND_AFTER_DUE'`,
    },
  },
};

// Does not call the SQL function that decides refunds, so that an error in that function is found. A quotient with 20 decimals is
// always on the right side of a half, because quantities are at most 5,000.
const kept = `
  CASE WHEN o.transaction_id IS NULL THEN 0
       ELSE round(round(o.total_payable * o.delivered_quantity, 20) / o.quantity, currency.minor_unit) END`;

const orders: Scan = {
  subject: 'order',
  rows: `
    WITH RECURSIVE ${paidUnits}
    SELECT o.id, o.status, o.refund_count, o.delivered_quantity AS delivered, o.deduction_currency AS currency, currency.minor_unit,
           ${kept} AS kept, coalesce(refund.rows, 0) AS rows, coalesce(refund.last, 0) AS last, coalesce(refund.amount, 0) AS refunded,
           coalesce(refund.units, 0) AS units, coalesce(refund.of_units, 0) AS of_units,
           coalesce(replacement.count, 0) AS replacements, o.replacement_count, coalesce(replacement.units, 0) AS replaced_units,
           coalesce(replacement.amount, 0) AS replaced, coalesce(replacement.failed, 0) AS failed,
           coalesce(refund.named, '{}') AS named, coalesce(replacement.named, '{}') AS replaced_named, coalesce(void.units, '{}') AS void,
           CASE WHEN returned.replacing_id IS NULL THEN '{}' ELSE '{1}'::integer[] END AS returned
      FROM orders o
      LEFT JOIN (SELECT replaces_order_id, count(*) AS count, count(*) FILTER (WHERE status IN ('FAILED', 'CANCELLED')) AS failed,
                        count(*) FILTER (WHERE status NOT IN ('FAILED', 'CANCELLED')) AS units,
                        sum(replaced_price) FILTER (WHERE status NOT IN ('FAILED', 'CANCELLED')) AS amount,
                        array_agg(replaces_unit ORDER BY replaces_unit) FILTER (WHERE family = 'VOUCHER' AND status NOT IN ('FAILED', 'CANCELLED'))
                          AS named
                   FROM orders WHERE replaces_order_id IS NOT NULL GROUP BY 1) replacement ON replacement.replaces_order_id = o.id
      JOIN currencies currency ON currency.code = o.deduction_currency
      LEFT JOIN (SELECT order_id, count(*) AS rows, max(number) AS last, sum(amount) FILTER (WHERE NOT is_of_replaced) AS amount,
                        sum(units) FILTER (WHERE NOT is_of_replaced) AS units,
                        sum(amount) FILTER (WHERE units IS NOT NULL AND NOT is_of_replaced) AS of_units,
                        array_agg(unit ORDER BY unit) FILTER (WHERE unit IS NOT NULL) AS named
                   FROM order_refunds CROSS JOIN LATERAL (
                     SELECT EXISTS (SELECT FROM orders WHERE replaces_order_id = order_id AND replaces_unit = for_unit
                                       AND status NOT IN ('FAILED', 'CANCELLED')) AS is_of_replaced) replaced
                  GROUP BY order_id) refund ON refund.order_id = o.id
      LEFT JOIN (SELECT order_id, array_agg(unit ORDER BY unit) AS units
                   FROM vouchers WHERE voided_at IS NOT NULL GROUP BY order_id) void ON void.order_id = o.id
      -- The replacement whose goods the client gave back: the last of its chain.
      LEFT JOIN (SELECT replacing_id FROM paid_unit JOIN order_refunds back ON back.order_id = paid_unit.order_id AND back.unit = paid_unit.unit) returned
        ON returned.replacing_id = o.id AND o.status = 'DELIVERED' AND coalesce(replacement.units, 0) = 0
     WHERE o.refund_count > 0 OR o.replacement_count > 0 OR replacement.replaces_order_id IS NOT NULL OR refund.order_id IS NOT NULL OR void.order_id IS NOT NULL`,
  checks: {
    'refund-limit': {
      wrong: `refunded + replaced > kept OR units + replaced_units > delivered OR rows + replacements > 0 AND NOT (${hasEnded('status')})`,
      says: `format('is %s and kept %s for %s delivered units; refunded are %s and %s units, replaced %s and %s units', status,
               ${money('kept')}, delivered, trim_scale(refunded), units, trim_scale(replaced), replaced_units)`,
    },
    'refund-count': {
      wrong: 'refund_count <> rows OR last <> rows OR replacement_count <> replacements',
      says: `format('counts %s refunds and %s replacements; it has %s, of which the last has number %s, and %s', refund_count,
               replacement_count, rows, last, replacements)`,
    },
    'refund-units': {
      // A replacement that failed gave its price back, so what is left may be off by its rounding.
      wrong: `units + replaced_units > 0
              AND abs(of_units + replaced - round(round(kept * (units + replaced_units), 20) / nullif(delivered, 0), minor_unit))
                  > failed * power(10::numeric, -minor_unit)`,
      says: `format('kept %s for %s delivered units; %s refunded and replaced units took %s', ${money('kept')}, delivered,
               units + replaced_units, trim_scale(of_units + replaced))`,
    },
    'refund-code': {
      wrong: 'NOT ((named || replaced_named || returned) @> void AND void @> (named || replaced_named || returned))',
      says: `format('refunded the units %s by name, replaced %s and took back %s; void are the codes of the units %s', named, replaced_named,
               returned, void)`,
    },
  },
};

export const refundScans = [rows, orders];

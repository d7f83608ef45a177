/**
 * Checks that no paid unit gave back more than its value: by refunds for it, whole or by amounts, and through any chain of replacements.
 * docs/specification.md#replacements.
 */
import type { Scan } from './scan';

/**
 * SQL of a WITH RECURSIVE: each order that replaces a unit (`replacing_id`), with the paid unit at the beginning of its chain. Does not call
 * the function that decides refunds, so that an error in that function is found.
 */
export const paidUnits = `
  origin AS (
    SELECT id AS replacing_id, replaces_order_id AS order_id, replaces_unit AS unit FROM orders WHERE replaces_order_id IS NOT NULL
    UNION ALL
    SELECT origin.replacing_id, earlier.replaces_order_id, earlier.replaces_unit
      FROM origin JOIN orders earlier ON earlier.id = origin.order_id WHERE earlier.replaces_order_id IS NOT NULL
  ), paid_unit AS (
    SELECT origin.* FROM origin JOIN orders paid ON paid.id = origin.order_id WHERE paid.replaces_order_id IS NULL
  )`;

const units: Scan = {
  subject: 'unit',
  rows: `
    SELECT refund.order_id || '/' || refund.for_unit AS id, refund.refunded, refund.wholes, refund.parts, o.deduction_currency AS currency,
           coalesce(replacement.replaced_price,
             ceil(o.total_payable / o.quantity * power(10::numeric, minor_unit)) / power(10::numeric, minor_unit)) AS worth
      FROM (SELECT order_id, for_unit, sum(amount) AS refunded, count(*) FILTER (WHERE units IS NOT NULL) AS wholes,
                   count(*) FILTER (WHERE units IS NULL) AS parts
              FROM order_refunds WHERE for_unit IS NOT NULL GROUP BY order_id, for_unit) refund
      JOIN orders o ON o.id = refund.order_id JOIN currencies ON code = o.deduction_currency
      LEFT JOIN orders replacement ON replacement.replaces_order_id = refund.order_id AND replacement.replaces_unit = refund.for_unit
                                  AND replacement.status NOT IN ('FAILED', 'CANCELLED')`,
  checks: {
    'unit-value': {
      wrong: 'refunded > worth OR wholes > 1 OR wholes = 1 AND parts > 0',
      says: `format('is worth %s %s; %s were refunded for it, %s times whole and %s times by an amount', trim_scale(worth), currency,
               trim_scale(refunded), wholes, parts)`,
    },
  },
};

export const unitScans = [units];

/**
 * The circuits of suppliers. The circuit of a supplier and family is open while its purchases fail: orders with another source
 * avoid the supplier, except for the orders that test it. Orders without another source still use the supplier. The numbers stand
 * in `src/domain/operations/circuit-rules.ts`.
 */
import { opensAt, testEveryMs, untestedCloseMs } from '../../domain/operations/circuit-rules';
import { hasRow, rows, type Database } from '../database/database';

/** A supplier's sales of a family. */
export interface SupplierFamily {
  supplier: string;
  family: string;
}

/** The number of purchase requests and lookups, and how many of them failed or have an unknown outcome. */
export interface CallCounts extends SupplierFamily {
  calls: number;
  failed: number;
}

const TEST_EVERY = `interval '${testEveryMs} milliseconds'`;

// A statement does not see its own inserts, so it adds the new counts to the stored ones.
const shareStatement = `
WITH shared AS (
  SELECT * FROM unnest($suppliers::text[], $families::text[], $calls::integer[], $failed::integer[])
             AS shared (supplier, family, calls, failed)
), added AS (
  INSERT INTO supplier_call_counts AS counts (supplier, family, counted_from, calls, failed)
  SELECT supplier, family, date_bin('10 seconds', now(), 'epoch'), calls, failed FROM shared ORDER BY supplier, family
  ON CONFLICT (supplier, family, counted_from) DO UPDATE
     SET calls = counts.calls + excluded.calls, failed = counts.failed + excluded.failed
), recent AS (
  SELECT supplier, family, sum(calls) AS calls, sum(failed) AS failed
    FROM (SELECT supplier, family, calls, failed FROM supplier_call_counts WHERE NOT is_older_than(counted_from, '${opensAt.withinMs} milliseconds')
           UNION ALL SELECT * FROM shared) counted
   GROUP BY supplier, family
), opened AS (
  INSERT INTO supplier_circuits (supplier, family, reason, probe_at)
  SELECT supplier, family, format('%s of %s calls failed within a minute', failed, calls), now() + ${TEST_EVERY}
    FROM recent WHERE calls >= ${opensAt.minCalls} AND failed >= calls * ${opensAt.minFailedShare}
  ON CONFLICT (supplier, family) DO NOTHING
  RETURNING supplier, family
)
SELECT supplier, family FROM supplier_circuits UNION SELECT supplier, family FROM opened`;

/**
 * Adds this process's calls to those of all processes. Opens the circuits of which enough calls have failed
 * recently (`opensAt`). Returns all open circuits.
 */
export function shareCallCounts(database: Database, counts: readonly CallCounts[]) {
  return rows<SupplierFamily>(database, shareStatement, {
    suppliers: counts.map(({ supplier }) => supplier),
    families: counts.map(({ family }) => family),
    calls: counts.map(({ calls }) => calls),
    failed: counts.map(({ failed }) => failed),
  });
}

const refusedStatement = `
INSERT INTO supplier_circuits AS circuit (supplier, family, reason, probe_at, closes_on_acceptance)
VALUES ($supplier, $family, $reason, now() + ${TEST_EVERY}, NOT $wasAccepted)
ON CONFLICT (supplier, family) DO UPDATE
   SET reason = excluded.reason, probe_at = greatest(circuit.probe_at, excluded.probe_at),
       closes_on_acceptance = circuit.closes_on_acceptance AND excluded.closes_on_acceptance
 WHERE circuit.probe_at <= now() OR circuit.closes_on_acceptance > excluded.closes_on_acceptance`;

/**
 * Opens the circuit at once, because the supplier rejected our account. If it rejects a purchase that it had accepted before
 * (`wasAccepted`), an acceptance does not close the circuit.
 */
export async function openRejectedCircuit(
  database: Database,
  { supplier, family }: SupplierFamily,
  { reason, wasAccepted }: { reason: string; wasAccepted: boolean },
): Promise<void> {
  await rows(database, refusedStatement, { supplier, family, reason, wasAccepted });
}

/** Lets the purchase that is sent now test the open circuit. No other order tests the circuit before `testEveryMs` have passed. */
export async function claimCircuitTest(
  database: Database,
  { supplier, family }: SupplierFamily,
): Promise<void> {
  await rows(
    database,
    `UPDATE supplier_circuits SET probe_at = now() + ${TEST_EVERY}
      WHERE supplier = $supplier AND family = $family AND probe_at <= now()`,
    { supplier, family },
  );
}

// Deletes the counts of earlier calls: otherwise the next failure would open the circuit again.
const closeStatement = `
WITH closed AS (
  DELETE FROM supplier_circuits
   WHERE supplier = $supplier AND family = $family AND (closes_on_acceptance OR NOT $isAcceptance)
  RETURNING supplier, family
), forgotten AS (
  DELETE FROM supplier_call_counts counts USING closed
   WHERE counts.supplier = closed.supplier AND counts.family = closed.family
)
SELECT FROM closed`;

/**
 * Closes the circuit, because the supplier answered a purchase. `isAcceptance`: whether the response only accepts the purchase,
 * without goods. Returns whether a circuit was closed.
 */
export function closeCircuit(
  database: Database,
  { supplier, family }: SupplierFamily,
  isAcceptance: boolean,
): Promise<boolean> {
  return hasRow(database, closeStatement, { supplier, family, isAcceptance });
}

// A time in the future comes from a clock that was set back since. The circuit counts as opened now.
const correctStatement = `
UPDATE supplier_circuits SET opened_at = least(opened_at, now()), probe_at = least(probe_at, now() + ${TEST_EVERY})
 WHERE opened_at > now() OR probe_at > now() + ${TEST_EVERY}`;

// A circuit that no acceptance closes ends here, when the supplier's account is no longer blocked.
const endStatement = `
DELETE FROM supplier_circuits circuit
 WHERE probe_at < now() - interval '${untestedCloseMs} milliseconds'
    OR NOT closes_on_acceptance
       AND NOT EXISTS (SELECT FROM supplier_health
                        WHERE supplier = circuit.supplier AND blocked_since IS NOT NULL)`;

/**
 * Closes circuits that no order has tested for `untestedCloseMs`, and circuits of accounts that are no
 * longer blocked. Corrects times in the future. Deletes old counts.
 */
export async function reviewCircuits(database: Database): Promise<void> {
  await rows(database, correctStatement);
  await rows(database, endStatement);
  await rows(database, `DELETE FROM supplier_call_counts WHERE is_older_than(counted_from, '1 hour')`);
}

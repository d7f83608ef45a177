/**
 * The circuits of suppliers. The circuit of a supplier and family is open while its purchases fail: orders with another source
 * avoid the supplier, except for the orders that test it. Orders without another source still use the supplier.
 * `src/data/suppliers/supplier-calls.ts` opens circuits. The numbers stand in `src/domain/suppliers/circuit-rules.ts`.
 */
import { testEveryMs, untestedCloseMs } from '../../domain/suppliers/circuit-rules';
import { hasRow, rows, type Database } from '../database/database';
import type { SupplierFamily } from './supplier-calls';

const TEST_EVERY = `interval '${testEveryMs} milliseconds'`;

const rejectedStatement = `
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
  await rows(database, rejectedStatement, { supplier, family, reason, wasAccepted });
}

/** Lets the purchase that is sent now test the open circuit. No other order tests the circuit before `testEveryMs` have passed. */
export async function claimCircuitTest(database: Database, { supplier, family }: SupplierFamily): Promise<void> {
  await rows(
    database,
    `UPDATE supplier_circuits SET probe_at = now() + ${TEST_EVERY}
      WHERE supplier = $supplier AND family = $family AND probe_at <= now()`,
    { supplier, family },
  );
}

// Resets the counts of earlier calls: otherwise the next failure would open the circuit again.
const closeStatement = `
WITH closed AS (
  DELETE FROM supplier_circuits
   WHERE supplier = $supplier AND family = $family AND (closes_on_acceptance OR NOT $isAcceptance)
  RETURNING supplier, family
), reset AS (
  UPDATE supplier_calls recorded SET calls = DEFAULT, failed = DEFAULT FROM closed
   WHERE recorded.supplier = closed.supplier AND recorded.family = closed.family
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
 * longer blocked. Corrects times in the future.
 */
export async function reviewCircuits(database: Database): Promise<void> {
  await rows(database, correctStatement);
  await rows(database, endStatement);
}

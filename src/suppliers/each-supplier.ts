/** Does something with every supplier, beside each other. */
import { isSupplierError, toldOf, type Supplier } from './port';

/**
 * One supplier's failure stops no other's work. Throws once all are done: one error that names every supplier that failed, in
 * the order of the suppliers. Its cause is the first failure that is no supplier's.
 */
export async function withEachSupplier(
  suppliers: ReadonlyMap<string, Supplier>,
  work: (supplier: Supplier) => Promise<void>,
): Promise<void> {
  const all = [...suppliers.values()];
  const outcomes = await Promise.allSettled(all.map(async (supplier) => work(supplier)));
  const failures = outcomes.flatMap((outcome, index) =>
    outcome.status === 'rejected' ? [{ name: all[index]?.name, error: outcome.reason as unknown }] : [],
  );
  if (failures.length === 0) return;
  const unforeseen = failures.find(({ error }) => !isSupplierError(error));
  const message = failures.map(({ name, error }) => `${name}: ${toldOf(error)}`).join('; ');
  throw new Error(message, { cause: unforeseen?.error });
}

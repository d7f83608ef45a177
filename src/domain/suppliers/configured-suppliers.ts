/** The suppliers that an installation has configured. */
import type { SandboxControls, Supplier } from './port';
import { isSupplierError, safeMessage } from './supplier-errors';

/** Returns the supplier with the name. Throws if it is not configured. */
export function requireSupplier(suppliers: ReadonlyMap<string, Supplier>, name: string): Supplier {
  const supplier = suppliers.get(name);
  if (!supplier) throw new Error(`Supplier "${name}" is not configured`);
  return supplier;
}

/**
 * Runs `work` for every supplier concurrently. The failure of one does not stop the others. Then throws one error that
 * names every failed supplier, in order. Its cause is the first failure that is not an error of the port.
 */
export async function withEachSupplier(
  suppliers: ReadonlyMap<string, Supplier>,
  work: (supplier: Supplier) => Promise<void>,
): Promise<void> {
  const all = [...suppliers.values()];
  const outcomes = await Promise.allSettled(all.map(async (supplier) => work(supplier)));
  const failures = outcomes.flatMap((outcome, index): { name: string | undefined; error: unknown }[] =>
    outcome.status === 'rejected' ? [{ name: all[index]?.name, error: outcome.reason }] : [],
  );
  if (failures.length === 0) return;
  const unforeseen = failures.find(({ error }) => !isSupplierError(error));
  const message = failures.map(({ name, error }) => `${name}: ${safeMessage(error)}`).join('; ');
  throw new Error(message, { cause: unforeseen?.error });
}

/** The sandbox controls of each supplier that has them, by its name. */
export type AllSandboxControls = ReadonlyMap<string, SandboxControls>;

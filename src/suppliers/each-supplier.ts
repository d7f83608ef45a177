/** Does something with every supplier, beside each other. */
import { isSupplierError, toldOf, type Supplier } from './port';

/** One supplier's failure stops no other's work; it is thrown, with the suppliers' names, once all are done. */
export async function withEachSupplier(
  suppliers: ReadonlyMap<string, Supplier>,
  work: (supplier: Supplier) => Promise<void>,
): Promise<void> {
  const failures: string[] = [];
  const unforeseen: unknown[] = [];
  const guarded = async (supplier: Supplier) => {
    try {
      await work(supplier);
    } catch (error) {
      failures.push(`${supplier.name}: ${toldOf(error)}`);
      if (!isSupplierError(error)) unforeseen.push(error);
    }
  };
  await Promise.all([...suppliers.values()].map(guarded));
  if (failures.length > 0) throw new Error(failures.join('; '), { cause: unforeseen[0] });
}

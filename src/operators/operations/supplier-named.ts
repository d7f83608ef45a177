/** The suppliers that operators name. */
import type { OperatorConfig } from '../../settings/config';
import type { Supplier } from '../../domain/suppliers/port';
import { requireSupplier, withEachSupplier } from '../../domain/suppliers/configured-suppliers';
import { inTerminal, word } from './arguments';
import type { Context } from './context';
import { sentenceOf } from './failure';
import { supplierName } from './kinds';

/** The argument that names a supplier. */
export const namedSupplier = inTerminal(word(supplierName, 'the name of the supplier'), 'name; see suppliers list');

/**
 * The row of the configured supplier with this name, or of all of them concurrently without a name. Throws if there is none with the
 * name. The failure of one supplier does not stop the others: it is a remark, or is thrown if no supplier has a row.
 */
export async function rowsOfSuppliers<Row>(
  context: Context,
  name: string | undefined,
  rowOf: (supplier: Supplier) => Promise<Row | undefined>,
): Promise<Row[]> {
  const configured = context.suppliers();
  const suppliers = name === undefined ? configured : new Map([[name, requireSupplier(configured, name)]]);
  const found = new Map<string, Row>();
  try {
    await withEachSupplier(suppliers, async (supplier) => {
      const row = await rowOf(supplier);
      if (row !== undefined) found.set(supplier.name, row);
    });
  } catch (error) {
    if (found.size === 0) throw error;
    context.remark(sentenceOf(error));
    context.mark(1);
  }
  return [...suppliers.keys()].flatMap((supplier) => found.get(supplier) ?? []);
}

/** Throws if a supplier is named and not configured. */
export function assertConfigured({ suppliers }: Pick<Context, 'suppliers'>, name: string | undefined): void {
  if (name !== undefined) requireSupplier(suppliers(), name);
}

export function configuredNames({ suppliers }: Pick<OperatorConfig, 'suppliers'>): string[] {
  return Object.keys(suppliers).sort();
}

/** Returns the name. Throws if no supplier with this name is configured. */
export function configuredSupplier(config: Pick<OperatorConfig, 'suppliers'>, name: string): string {
  const names = configuredNames(config);
  if (!names.includes(name)) throw new Error(`There is no supplier "${name}". Configured: ${names.join(', ')}.`);
  return name;
}

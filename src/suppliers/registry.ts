/** The suppliers this process can buy from, by the name the catalogue gives them. */
import type { Config } from '../config';
import type { Supplier } from './port';
import { createSimulatorSupplier } from './simulator';

/** Every supplier the configuration names. */
export function suppliersFrom(config: Config): ReadonlyMap<string, Supplier> {
  const suppliers = [createSimulatorSupplier(config.simulator)];
  return new Map(suppliers.map((supplier) => [supplier.name, supplier]));
}

/** The supplier of a product. Throws where the catalogue names one this process does not know. */
export function supplierNamed(suppliers: ReadonlyMap<string, Supplier>, name: string): Supplier {
  const supplier = suppliers.get(name);
  if (!supplier) throw new Error(`The catalogue names supplier "${name}", which is not configured`);
  return supplier;
}

/** The suppliers this process can buy from, by the name the catalogue gives them. */
import type { Config } from '../config';
import type { Supplier } from './port';
import { createSimulatorSupplier } from './simulator';

/** Every supplier that is configured; a new adapter is one more line here. */
export function suppliersFrom({ suppliers }: Pick<Config, 'suppliers'>): ReadonlyMap<string, Supplier> {
  const configured = [suppliers.simulator && createSimulatorSupplier(suppliers.simulator)];
  return new Map(configured.filter((supplier) => supplier !== undefined).map((one) => [one.name, one]));
}

/** The supplier of a product. Throws if the catalogue names one this process does not know. */
export function supplierNamed(suppliers: ReadonlyMap<string, Supplier>, name: string): Supplier {
  const supplier = suppliers.get(name);
  if (!supplier) throw new Error(`The catalogue names supplier "${name}", which is not configured`);
  return supplier;
}

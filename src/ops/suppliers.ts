import type { OperatorConfig } from '../config';
import { sharedState } from '../ordering/purchasing/shared-state';
import { Sealer } from '../security/sealing';
import type { Supplier } from '../suppliers/port';
import { requireSupplier, suppliersFrom } from '../suppliers/registry';
import { keysOf, type Session } from './session';

/** The configured suppliers. They share access tokens and rate limits with the service. */
export function suppliersOf(session: Pick<Session, 'database' | 'config'>): ReadonlyMap<string, Supplier> {
  const sealer = async () => new Sealer(await keysOf(session));
  const storage = { database: session.database, sealer };
  return suppliersFrom(session.config, (supplier) => sharedState(storage, supplier));
}

/** The configured supplier with this name, or all configured ones without a name. Throws if there is none with the name. */
export function suppliersNamed(
  session: Pick<Session, 'database' | 'config'>,
  name: string | undefined,
): ReadonlyMap<string, Supplier> {
  const configured = suppliersOf(session);
  return name ? new Map([[name, requireSupplier(configured, name)]]) : configured;
}

export function configuredNames({ suppliers }: Pick<OperatorConfig, 'suppliers'>): string[] {
  return Object.keys(suppliers).sort();
}

/** Returns the name. Throws if no supplier with this name is configured. */
export function configuredSupplier(config: Pick<OperatorConfig, 'suppliers'>, name: string): string {
  const names = configuredNames(config);
  if (!names.includes(name))
    throw new Error(`There is no supplier "${name}". Configured: ${names.join(', ')}.`);
  return name;
}

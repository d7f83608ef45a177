import { sharedState } from '../../ordering/purchasing/shared-state';
import { Sealer } from '../../security/sealing';
import type { Supplier } from '../../domain/suppliers/port';
import { suppliersFrom } from '../../suppliers/registry';
import { keysOf, type Session } from './command-resources';

/** The configured suppliers. They share access tokens and rate limits with the service. */
export function suppliersOf(session: Pick<Session, 'database' | 'config'>): ReadonlyMap<string, Supplier> {
  const sealer = async () => new Sealer(await keysOf(session));
  const storage = { database: session.database, sealer };
  return suppliersFrom(session.config, (supplier) => sharedState(storage, supplier));
}

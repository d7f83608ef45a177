import { sharedState } from '../../ordering/purchasing/shared-tokens-and-turns';
import { Sealer } from '../../security/sealing';
import type { Supplier } from '../../domain/suppliers/port';
import { loadSuppliersConfig } from '../../settings/config';
import { suppliersFrom } from '../../suppliers/registry';
import { keysOf, type Session } from './command-resources';

/** The configured suppliers. They share access tokens and rate limits with the service. */
export function suppliersOf(session: Pick<Session, 'database'>): ReadonlyMap<string, Supplier> {
  const sealer = async () => new Sealer(await keysOf(session));
  const storage = { database: session.database, sealer };
  return suppliersFrom(loadSuppliersConfig(), (supplier) => sharedState(storage, supplier));
}

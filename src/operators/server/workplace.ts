/** Builds what operations work with. */
import { Client } from '@temporalio/client';
import { sharedState } from '../../ordering/purchasing/shared-tokens-and-turns';
import { Sealer } from '../../security/sealing';
import { suppliersFrom } from '../../suppliers/registry';
import { connectTemporal } from '../../temporal/connection';
import type { Workplace } from './calls';
import { recordingMessages } from './recorded-messages';

/** Connects to Temporal at the first call that needs it, because the list of what waits for a person does not. */
export function openWorkplace(
  installation: Omit<Workplace, 'suppliers' | 'temporalAs'>,
): Workplace & { close(): Promise<void> } {
  const { config, database, longDatabase, keyRing } = installation;
  const sealer = async () => new Sealer(await keyRing());
  const suppliers = suppliersFrom(config, (supplier) => sharedState({ database, sealer }, supplier));
  let connected: Promise<Client> | undefined;
  const connect = (): Promise<Client> => {
    connected ??= keyRing()
      .then((ring) => connectTemporal(config, ring))
      .catch((error: unknown) => {
        // The next call tries again.
        connected = undefined;
        throw error;
      });
    return connected;
  };
  return {
    ...installation,
    suppliers: () => suppliers,
    temporalAs: async (identity) => {
      const interceptors = { workflow: [recordingMessages(database)] };
      return new Client({ ...(await connect()).options, identity, interceptors });
    },
    close: async () => {
      await (await connected?.catch(() => undefined))?.connection.close();
      await Promise.all([...new Set([database, longDatabase])].map((one) => one.close()));
    },
  };
}

/** The connection to Temporal of the API and the tools, and how payloads are written. */
import { Client, Connection } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type { Config } from '../config';
import type { KeyRing } from '../security/key-ring';
import { EncryptionCodec } from './codec';

/** How payloads are written and read, the same for clients, workers and replays. */
export function dataConverter(keyRing: KeyRing): DataConverter {
  return {
    payloadCodecs: [new EncryptionCodec(keyRing)],
    failureConverterPath: require.resolve('./failure-converter'),
  };
}

/** Connects a client. Throws a sentence that names the address when Temporal is not there. */
export async function connectTemporal(config: Config, keyRing: KeyRing): Promise<Client> {
  const { address, namespace } = config.temporal;
  try {
    const connection = await Connection.connect({ address, connectTimeout: '10s' });
    return new Client({ connection, namespace, dataConverter: dataConverter(keyRing) });
  } catch {
    throw new Error(unreachable(address));
  }
}

function unreachable(address: string): string {
  return `Temporal does not answer at ${address}. Start it or set TEMPORAL_ADDRESS to where it runs.`;
}

/** The connection to Temporal of the API and the tools, and how payloads are written. */
import { Client, Connection, type WorkflowClientInterceptor } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type { Config, TemporalSettings } from '../config';
import type { KeyRing } from '../security/key-ring';
import { EncryptionCodec } from './codec';

/** How payloads are written and read, the same for clients, workers and replays. */
export function dataConverter(keyRing: KeyRing): DataConverter {
  return {
    payloadCodecs: [new EncryptionCodec(keyRing)],
    failureConverterPath: require.resolve('./failure-converter'),
  };
}

/** How clients and workers connect: over TLS and with what it needs where the settings say so. */
export function connectionOptions({ address, tls, apiKey }: TemporalSettings) {
  return { address, ...(tls && { tls }), ...(apiKey !== undefined && { apiKey }) };
}

/** How a client calls. Histories keep `identity` with every call; without it, process and machine. */
export interface Connecting {
  identity?: string | undefined;
  interceptors?: WorkflowClientInterceptor[];
}

/** Connects a client. Throws a sentence that names the address when Temporal is not there. */
export async function connectTemporal(
  { temporal }: Pick<Config, 'temporal'>,
  keyRing: KeyRing,
  { identity, interceptors = [] }: Connecting = {},
): Promise<Client> {
  const { namespace } = temporal;
  try {
    const connection = await Connection.connect({ ...connectionOptions(temporal), connectTimeout: '10s' });
    return new Client({
      connection,
      namespace,
      dataConverter: dataConverter(keyRing),
      interceptors: { workflow: interceptors },
      ...(identity !== undefined && { identity }),
    });
  } catch {
    throw new Error(unreachable(temporal));
  }
}

function unreachable({ address, tls }: TemporalSettings): string {
  const remedy = 'Start it or set TEMPORAL_ADDRESS to where it runs';
  if (!tls)
    return `Temporal does not answer at ${address}. ${remedy}; TEMPORAL_TLS=true where it demands TLS.`;
  return `Temporal does not answer over TLS at ${address}. ${remedy}, and see to the TEMPORAL_TLS settings.`;
}

/** Clients of the running stack's Temporal server. */
import { Client, Connection } from '@temporalio/client';
import { dataConverter } from '../../src/temporal/connection';
import { loadStack } from './loaded-stack';
import { stackKeyRing } from './stack-keys';

/** A client of the stack's Temporal server. Close its connection in `afterAll`. */
export async function temporalClient(): Promise<Client> {
  const { temporal_address: address, temporal_namespace: namespace } = loadStack();
  return new Client({ connection: await Connection.connect({ address }), namespace });
}

/** A client with the payload codec of the stack's processes. Close its connection in `afterAll`. */
export async function serviceTemporalClient(): Promise<Client> {
  const { temporal_address: address, temporal_namespace: namespace } = loadStack();
  const connection = await Connection.connect({ address });
  return new Client({ connection, namespace, dataConverter: dataConverter(await stackKeyRing()) });
}

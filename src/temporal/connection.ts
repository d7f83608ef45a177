/** Connecting to Temporal, the conversion of payloads, and the statuses of failed calls. */
import {
  Client,
  Connection,
  type WorkflowClientInterceptor,
  isGrpcServiceError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type { Config } from '../settings/config';
import type { TemporalSettings } from '../settings/temporal-settings';
import type { KeyRing } from '../security/key-ring';
import { EncryptionCodec } from './codec';
import { thrownMessage } from '../domain/unknown-values';

/** The conversion of payloads, for clients, workers and replays. */
export function dataConverter(keyRing: KeyRing): DataConverter {
  return {
    payloadCodecs: [new EncryptionCodec(keyRing)],
    failureConverterPath: require.resolve('./failure-converter'),
  };
}

/** The connection options of clients and workers. */
export function connectionOptions({ address, tls, apiKey }: TemporalSettings) {
  return { address, ...(tls && { tls }), ...(apiKey !== undefined && { apiKey }) };
}

export interface Connecting {
  /** The caller that histories name with every call. By default, the process and the machine. */
  identity?: string | undefined;
  interceptors?: WorkflowClientInterceptor[];
}

/** Connects a client. Throws an error with the address if Temporal does not answer. */
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
    throw new TemporalUnreachable(unreachable(temporal));
  }
}

/** Throws an error with the address unless Temporal answers within 3 s. Needs no keys. */
export async function assertAnswers({ temporal }: Pick<Config, 'temporal'>): Promise<void> {
  try {
    const connection = await Connection.connect({ ...connectionOptions(temporal), connectTimeout: '3s' });
    await connection.close();
  } catch {
    throw new TemporalUnreachable(unreachable(temporal));
  }
}

/** Temporal does not answer. The message names the address and the remedy. */
export class TemporalUnreachable extends Error {}

function unreachable({ address, tls }: TemporalSettings): string {
  const remedy = 'Start it or set TEMPORAL_ADDRESS to where it runs';
  if (!tls) return `Temporal does not answer at ${address}. ${remedy}; TEMPORAL_TLS=true where it demands TLS.`;
  return `Temporal does not answer over TLS at ${address}. ${remedy}, and check the TEMPORAL_TLS settings.`;
}

export const INVALID_ARGUMENT = 3;
export const NOT_FOUND = 5;
export const ALREADY_EXISTS = 6;
export const PERMISSION_DENIED = 7;
export const FAILED_PRECONDITION = 9;
export const UNIMPLEMENTED = 12;

/** Whether the call failed with this gRPC status, also if the client wraps the error. */
export function hasStatus(error: unknown, status: number): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return isGrpcServiceError(cause) && Number(cause.code) === status;
}

/**
 * Whether Temporal has no such workflow or run. Most calls of the client then throw `WorkflowNotFoundError`, but `fetchHistory` throws
 * the status itself. A missing namespace has the same status and says nothing about its workflows.
 */
export function isWorkflowNotFound(error: unknown): boolean {
  if (error instanceof WorkflowNotFoundError) return true;
  return hasStatus(error, NOT_FOUND) && !/namespace/i.test(thrownMessage(error));
}

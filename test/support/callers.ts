import type { Caller } from '../../src/domain/operations/audit';

/** Callers for tests that replace the API. */
export function callerOf(clientId: number): Caller {
  return { clientId, apiKeyId: null, address: '127.0.0.1', requestId: 'test' };
}

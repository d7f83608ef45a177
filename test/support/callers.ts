import type { Caller } from '../../src/domain/operations/audit';

/** Who calls, where a test calls in place of the API. */
export function callerOf(clientId: number): Caller {
  return { clientId, apiKeyId: null, address: '127.0.0.1', requestId: 'test' };
}

import type { AuditedCaller } from '../../src/domain/audit';

/** Callers for tests that replace the API. */
export function callerOf(clientId: number): AuditedCaller {
  return { clientId, apiKeyId: null, memberId: null, address: '127.0.0.1', requestId: 'test' };
}

import type { Migration } from './migration';

/** Finds the sessions that a suspension or a revoked key must still end, although they cannot be refreshed any more. */
export const reusedSessions: Migration = {
  name: '0038-reused-sessions',
  indexes: [{ name: 'token_families_reused', on: 'token_families (client_id, api_key_id) WHERE reused' }],
};

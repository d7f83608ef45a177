import type { Migration } from './migration';

/**
 * Secrets of clients are kept as keyed hashes. Their key is not the database's to know: the API hashes what is there
 * when it starts (`keyPlainHashes` in `src/data/api-keys.ts`).
 */
export const keyedSecrets: Migration = {
  name: '0018-keyed-secrets',
  sql: `
-- The credential key under which the hash is; null where it is a plain SHA-256 yet.
ALTER TABLE api_keys ADD COLUMN hash_key_id text;
CREATE INDEX api_keys_plain ON api_keys (id) WHERE hash_key_id IS NULL;
`,
};

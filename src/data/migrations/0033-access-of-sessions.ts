import type { Migration } from './migration';

/**
 * Which access tokens are unexpired, and by which session an order was requested, so that placing it checks that session.
 * All columns are null in rows of the release before, and `access_expires_at` in those of console sessions, too.
 */
export const accessOfSessions: Migration = {
  name: '0033-access-of-sessions',
  sql: `
ALTER TABLE refresh_tokens ADD COLUMN access_expires_at timestamptz;
-- Ended because its refresh token was used twice: its access tokens still write until they expire.
ALTER TABLE token_families ADD COLUMN reused boolean NOT NULL DEFAULT false;
ALTER TABLE order_intakes ADD COLUMN api_key_id integer, ADD COLUMN session_id uuid;
`,
};

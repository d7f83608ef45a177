import type { InTransaction } from './migration';

/** Notifies processes with cached clients of sessions that a session has ended. */
export const endedSessions: InTransaction = {
  name: '0022-ended-sessions',
  sql: `
-- For each row: a statement that ends no session, such as for a rejected refresh, must empty no cache.
CREATE TRIGGER tell_change AFTER UPDATE OF revoked_at ON token_families FOR EACH ROW
  WHEN (OLD.revoked_at IS DISTINCT FROM NEW.revoked_at) EXECUTE FUNCTION tell_change('clients');
`,
};

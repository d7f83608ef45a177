import type { Migration } from './migration';

/** Each URL of an endpoint gets one unsolicited `webhook.test`, however often its client sends or enables it. */
export const verificationTests: Migration = {
  name: '0037-verification-tests',
  sql: `
-- The present URL has been given its unsolicited webhook.test.
ALTER TABLE webhook_endpoints ADD COLUMN is_test_written boolean NOT NULL DEFAULT false;
UPDATE webhook_endpoints SET is_test_written = true WHERE enabled OR verified_at IS NOT NULL;
`,
};

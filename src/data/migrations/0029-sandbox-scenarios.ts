import type { Migration } from './migration';

/** What a sandbox was seeded with, as its clients read it: there is one list, and none in production. */
export const sandboxScenarios: Migration = {
  name: '0029-sandbox-scenarios',
  sql: `
CREATE TABLE sandbox_scenarios (
  is_only   boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  -- Kept as text, so that it is read in the order it was written in.
  scenarios json NOT NULL
);
`,
};

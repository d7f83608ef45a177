import type { InTransaction } from './migration';

const schemas = ['identity_operators', 'identity_members'];

const tablesOf = (schema: string) => `
-- Wrong codes for an address in a day, in browsers that are not known, by their network. wrong_code_counts has those of all networks.
CREATE TABLE ${schema}.network_code_counts (
  email        text NOT NULL,
  -- The /24 or /48 network. 'invitation': the browsers that an invitation of the address has opened, wherever they are.
  network      text NOT NULL,
  wrong        integer NOT NULL,
  since        timestamptz NOT NULL,
  -- Until then, no such browser gets a code or signs in.
  paused_until timestamptz NOT NULL,
  PRIMARY KEY (email, network)
);

-- How often an admin of a client has unlocked the address since the count began.
ALTER TABLE ${schema}.wrong_code_counts ADD COLUMN unlocks integer NOT NULL DEFAULT 0;

-- The secrets of the links in mailed invitations, as hashes.
CREATE TABLE ${schema}.invitation_links (
  secret_hash   bytea PRIMARY KEY,
  invitation_id bigint NOT NULL REFERENCES ${schema}.invitations ON DELETE CASCADE
);
CREATE INDEX invitation_links_invitation ON ${schema}.invitation_links (invitation_id);

-- The browsers in which such a link was used, as hashes.
ALTER TABLE ${schema}.invitations ADD COLUMN opened_browsers bytea[] NOT NULL DEFAULT '{}';
`;

/** Wrong codes by network, and links of invitations that open a browser. docs/decisions/0080-bind-codes-to-browsers.md. */
export const wrongCodesByNetwork: InTransaction = {
  name: '0043-wrong-codes-by-network',
  sql: `${schemas.map(tablesOf).join('')}
INSERT INTO sign_in_events (door, event)
SELECT door, 'browser.opened' FROM unnest(ARRAY['operators', 'members']) door;
`,
};

import type { InTransaction } from './migration';

const schemas = ['identity_operators', 'identity_members'];

const tablesOf = (schema: string) => `
-- Devices in which a person has signed in, after the second factor if the person has one: a browser by its cookie, the ops CLI by machine
-- and address. Hashes.
CREATE TABLE ${schema}.known_devices (
  person_id    text NOT NULL REFERENCES ${schema}."user" ON DELETE CASCADE,
  device_hash  bytea NOT NULL,
  last_used_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (person_id, device_hash)
);

-- Codes that a browser asked for, of people and invited people only. mail_code_counts has those of a mailbox.
CREATE TABLE ${schema}.device_code_counts (
  device_hash bytea NOT NULL,
  email       text NOT NULL,
  sent        integer NOT NULL,
  since       timestamptz NOT NULL,
  PRIMARY KEY (device_hash, email)
);

-- Wrong codes for an address in browsers that are not known, in a day.
CREATE TABLE ${schema}.wrong_code_counts (
  email        text PRIMARY KEY,
  wrong        integer NOT NULL,
  since        timestamptz NOT NULL,
  -- Until then, no such browser gets a code or signs in.
  paused_until timestamptz NOT NULL
);
`;

/** What the sign-in tells operators: counted for metrics, and audited by `record_event`. docs/decisions/0080-bind-codes-to-browsers.md. */
export const signInDevicesAndEvents: InTransaction = {
  name: '0020-sign-in-devices-and-events',
  sql: `${schemas.map(tablesOf).join('')}
-- A row for each event that there is, so that metrics begin with 0.
CREATE TABLE sign_in_events (
  door  text NOT NULL,
  event text NOT NULL,
  total bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (door, event)
);
INSERT INTO sign_in_events (door, event)
SELECT door, event
  FROM unnest(ARRAY['operators', 'members']) door,
       unnest(ARRAY['session.started', 'session.ended', 'device.added', 'device.denied', 'second_factor.added',
                    'second_factor.rejected', 'code.rejected', 'codes.used_up', 'sign_in.locked', 'network.limited']) event;
`,
};

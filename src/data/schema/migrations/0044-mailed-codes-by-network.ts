import type { InTransaction } from './migration';

const schemas = ['identity_operators', 'identity_members'];

const tablesOf = (schema: string) => `
-- Codes mailed to an address in an hour, in browsers that are not known, by their network. mail_code_counts has those of all networks.
CREATE TABLE ${schema}.network_mail_counts (
  email   text NOT NULL,
  -- The /24 or /48 network.
  network text NOT NULL,
  sent    integer NOT NULL,
  since   timestamptz NOT NULL,
  PRIMARY KEY (email, network)
);

-- An unlock forgets the codes of an address.
CREATE INDEX device_code_counts_email ON ${schema}.device_code_counts (email);
`;

/** Mailed codes by network. docs/decisions/0080-bind-codes-to-browsers.md. */
export const mailedCodesByNetwork: InTransaction = {
  name: '0044-mailed-codes-by-network',
  sql: schemas.map(tablesOf).join(''),
};

import { triggerFunctions, type InTransaction } from './migration';

/** Funding requests of clients. docs/decisions/0088-credit-transfers-by-their-reference.md. */
export const funding: InTransaction = {
  name: '0028-funding',
  sql: `
-- What clients are about to transfer. A PENDING row that has expired is EXPIRED for everyone (src/data/funding/funding-requests.ts).
CREATE TABLE funding_requests (
  id                    integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  client_id             integer NOT NULL REFERENCES clients,
  wallet_id             integer NOT NULL REFERENCES wallets,
  amount                numeric(24, 4) NOT NULL CHECK (amount > 0),
  -- ISO 11649, without blanks.
  reference             text NOT NULL UNIQUE CHECK (reference ~ '^RF[0-9]{2}[0-9A-Z]{12}$'),
  -- The client's text. Null without one, and once it is deleted.
  sealed_purchase_order bytea,
  state                 text NOT NULL DEFAULT 'PENDING' CHECK (state IN ('PENDING', 'CREDITED', 'CANCELLED')),
  transaction_id        integer UNIQUE REFERENCES transactions,
  created_at            timestamptz NOT NULL DEFAULT now(),
  expires_at            timestamptz NOT NULL,
  ended_at              timestamptz,
  CHECK ((state = 'PENDING') = (ended_at IS NULL)),
  CHECK ((state = 'CREDITED') = (transaction_id IS NOT NULL))
);
CREATE INDEX funding_requests_of_wallet ON funding_requests (wallet_id, id DESC);
CREATE INDEX funding_requests_pending ON funding_requests (wallet_id, expires_at) WHERE state = 'PENDING';
CREATE INDEX funding_requests_to_erase ON funding_requests ((coalesce(ended_at, expires_at)))
  WHERE sealed_purchase_order IS NOT NULL;

${triggerFunctions('keep_funding_request')}
CREATE TRIGGER keep_funding_request AFTER UPDATE OF state, ended_at, transaction_id ON funding_requests
  FOR EACH ROW EXECUTE FUNCTION keep_funding_request();
CREATE TRIGGER audit_by_operator AFTER INSERT OR DELETE OR UPDATE ON funding_requests
  FOR EACH ROW WHEN (current_setting('app.command', true) <> '') EXECUTE FUNCTION audit_change('funding_request', 'id');
`,
};

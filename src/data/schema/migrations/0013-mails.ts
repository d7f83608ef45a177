import { triggerFunctions, type InTransaction } from './migration';

/** Mails that are due to clients and their members. */
export const mails: InTransaction = {
  name: '0013-mails',
  sql: `
-- The due mails about low balances, one for each event wallet.low_balance, written with it. Deleted when the mail was sent or
-- given up.
CREATE TABLE low_balance_mails (
  event_id   text PRIMARY KEY,
  wallet_id  integer NOT NULL REFERENCES wallets,
  balance    numeric(24, 4) NOT NULL,
  threshold  numeric(24, 4) NOT NULL,
  crossed_at timestamptz NOT NULL DEFAULT now(),
  -- When the next attempt is due.
  due_at     timestamptz NOT NULL DEFAULT now()
);

-- The due mails about refunds after delivery, written with the credit. Deleted when the mail was sent or given up.
CREATE TABLE refund_mails (
  order_id    bigint NOT NULL,
  number      integer NOT NULL,
  credited_at timestamptz NOT NULL DEFAULT now(),
  -- When the next attempt is due.
  due_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (order_id, number),
  FOREIGN KEY (order_id, number) REFERENCES order_refunds
);

-- The due mails about changes of keys, allowed networks, members and endpoints, and invitations of members, written with the
-- change. Deleted when the mail was sent or given up.
CREATE TABLE access_mails (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  client_id  integer NOT NULL REFERENCES clients,
  change     text NOT NULL
             CHECK (change IN ('KEY_CREATED', 'KEY_CHANGED', 'KEY_REVOKED', 'NETWORKS_CHANGED', 'MEMBER_CHANGED',
                               'ENDPOINT_CHANGED', 'INVITATION')),
  recipient  text NOT NULL,
  -- What was changed, without secrets, after the change.
  details    jsonb NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT now(),
  -- When the next attempt is due.
  due_at     timestamptz NOT NULL DEFAULT now()
);

${triggerFunctions('mail_key_change', 'mail_network_change', 'mail_member_change', 'mail_endpoint_change')}
CREATE TRIGGER mail_creation AFTER INSERT ON api_keys FOR EACH ROW EXECUTE FUNCTION mail_key_change();
CREATE TRIGGER mail_change AFTER UPDATE OF label, scopes, expires_at, revoked_at ON api_keys FOR EACH ROW
  WHEN ((OLD.label, OLD.scopes, OLD.expires_at, OLD.revoked_at) IS DISTINCT FROM
        (NEW.label, NEW.scopes, NEW.expires_at, NEW.revoked_at))
  EXECUTE FUNCTION mail_key_change();
CREATE TRIGGER mail_networks AFTER UPDATE OF allowed_cidrs ON clients FOR EACH ROW
  WHEN (OLD.allowed_cidrs IS DISTINCT FROM NEW.allowed_cidrs) EXECUTE FUNCTION mail_network_change();
CREATE TRIGGER mail_invitation AFTER INSERT ON members FOR EACH ROW EXECUTE FUNCTION mail_member_change();
-- A member who accepts an invitation is no change.
CREATE TRIGGER mail_change AFTER UPDATE OF role, state, removed_at ON members FOR EACH ROW
  WHEN ((OLD.role, OLD.state, OLD.removed_at) IS DISTINCT FROM (NEW.role, NEW.state, NEW.removed_at)
        AND NOT (OLD.state = 'INVITED' AND NEW.state = 'ACTIVE')) EXECUTE FUNCTION mail_member_change();
CREATE TRIGGER mail_existence AFTER INSERT OR DELETE ON webhook_endpoints FOR EACH ROW EXECUTE FUNCTION mail_endpoint_change();
-- The service mails an endpoint that it disables itself.
CREATE TRIGGER mail_change AFTER UPDATE OF url, event_types, enabled ON webhook_endpoints FOR EACH ROW
  WHEN ((OLD.url, OLD.event_types, OLD.enabled) IS DISTINCT FROM (NEW.url, NEW.event_types, NEW.enabled)
        AND NEW.disabled_reason IS NULL) EXECUTE FUNCTION mail_endpoint_change();
`,
};

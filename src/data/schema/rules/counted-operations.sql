-- The sums that rules of approval count. docs/operators/approvals.md.
-- Rule: what counts towards the sums of approval rules

-- Counts what the person of the transaction moved. An approved operation has its second person, so no rule counts it.
CREATE OR REPLACE FUNCTION count_operation(in_operation text, in_client_id integer, in_currency text, in_amount numeric)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO counted_operations (operation, person, client_id, currency, amount)
  SELECT in_operation, current_setting('app.accountable', true), in_client_id, in_currency, in_amount
   WHERE current_setting('app.accountable', true) <> '' AND coalesce(current_setting('app.approver', true), '') = ''
$$;

-- A funding, or an adjustment in either direction.
CREATE OR REPLACE FUNCTION count_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_operation(CASE NEW.kind WHEN 'FUNDING' THEN 'FUND' ELSE 'ADJUST' END, NEW.client_id,
    (SELECT currency_code FROM wallets WHERE id = NEW.wallet_id), NEW.amount);
  RETURN NULL;
END $$;

-- A refund after delivery, also one that waits for its wallet.
CREATE OR REPLACE FUNCTION count_refund() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  o orders;
BEGIN
  SELECT * INTO STRICT o FROM orders WHERE id = NEW.order_id;
  PERFORM count_operation(CASE current_setting('app.command', true) WHEN 'refunds import' THEN 'REFUNDS_IMPORT' ELSE 'REFUND' END,
    o.client_id, o.deduction_currency, NEW.amount);
  RETURN NULL;
END $$;

-- What a supplier credits for a claim counts as a refund, in the currency of the wallet: it raises the margin by as much.
CREATE OR REPLACE FUNCTION count_supplier_credit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_operation('REFUND', NEW.client_id, (SELECT deduction_currency FROM orders WHERE id = NEW.order_id), NEW.supplier_credit_value);
  RETURN NULL;
END $$;

-- The files of a proposal are erased, never exchanged. Only the owner of the schema seals them again, under another key.
CREATE OR REPLACE FUNCTION keep_proposed_files() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT pg_has_role(current_user, (SELECT relowner FROM pg_catalog.pg_class WHERE oid = TG_RELID), 'MEMBER') THEN
    RAISE EXCEPTION 'role % changes no file of a proposal', current_user USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;

-- What an account of the operators' process may do now: its role, and the operations of a service account. No row for a person who is
-- suspended, and for a service account that is revoked, has expired, or sleeps with its owner (src/data/identity/service-accounts.ts).
-- Locks account and owner until the transaction ends, so that a change of them waits. In a sandbox, people share the account of the local
-- admin, and `/` and a name follow its id. Runs as the owner of the schema, because only the sign-in reads people.
CREATE OR REPLACE FUNCTION lock_account(in_account text) RETURNS TABLE (role text, operations text[])
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  account identity_operators.service_accounts;
  owner   identity_operators."user";
BEGIN
  RETURN QUERY SELECT person.role, NULL::text[] FROM identity_operators."user" person
    WHERE person.id = split_part(in_account, '/', 1) AND person."suspendedAt" IS NULL FOR SHARE;
  SELECT * INTO account FROM identity_operators.service_accounts one
   WHERE 'service-' || one.id = in_account AND one.revoked_at IS NULL AND one.expires_at > now() FOR SHARE;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT * INTO owner FROM identity_operators."user" person WHERE person.id = account.owner_id FOR SHARE;
  IF owner."suspendedAt" IS NOT NULL OR owner.role <> 'admin' AND account.role NOT IN ('admin', owner.role) THEN RETURN; END IF;
  RETURN QUERY SELECT CASE account.role WHEN 'admin' THEN coalesce(owner.role, 'admin') ELSE account.role END, account.operations;
END $$;

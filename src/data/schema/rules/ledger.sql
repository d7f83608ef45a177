-- The ledger: money moves only here. In SQL, so that balance, entry and event change in the statement that causes them,
-- without a round trip while the wallet's row is locked.
-- Rule: the balance and the credit limit that a debit needs, who may write which kind of entry, and entries never change

-- An amount in wallet events: a string with the decimals of its currency.
CREATE OR REPLACE FUNCTION decimal_text(amount numeric, currency text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT round(amount, (SELECT minor_unit FROM currencies WHERE code = currency))::text
$$;

-- Whether a voucher's code has paid at least this for the order. A function, because post_entry seldom asks, and would prepare a
-- subquery for each entry.
CREATE OR REPLACE FUNCTION is_redeemed(in_order_id bigint, in_amount numeric) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM transactions WHERE order_id = in_order_id AND kind = 'REDEMPTION' AND amount >= in_amount)
$$;

-- Posts one entry: changes the balance, numbers the entry and writes the wallet events. Returns the entry, or no row if the
-- wallet is closed or the debit exceeds what is available: the balance and the credit limit. A debt beyond a lowered limit rejects
-- neither a credit nor a debit that a redemption of the same order has paid for. The entry's time is the client's next moment. A
-- debit that leaves less available than the threshold writes wallet.low_balance and its mail, once until more than the threshold is
-- available again. The events of an order's entry name its family, which the caller passes, because the order may not be stored yet.
CREATE OR REPLACE FUNCTION post_entry(
  in_wallet_id integer, in_kind text, in_type text, in_amount numeric, in_order_id bigint,
  in_reference text, in_remarks text, in_source_currency text, in_destination_currency text,
  in_forex_rate numeric, in_conversion_charges numeric, in_order_family text DEFAULT NULL
) RETURNS SETOF transactions LANGUAGE plpgsql AS $$
DECLARE
  of_order jsonb := jsonb_strip_nulls(jsonb_build_object('order_family', in_order_family));
  change numeric := CASE in_type WHEN 'CREDIT' THEN in_amount ELSE -in_amount END;
  wallet wallets;
  entry  transactions;
  event  text;
  available numeric;
BEGIN
  UPDATE wallets SET balance = balance + change, entry_count = entry_count + 1, updated_at = now()
   WHERE id = in_wallet_id AND closed_at IS NULL
     AND CASE WHEN in_type = 'CREDIT' OR balance + change >= -credit_limit THEN true
              ELSE is_redeemed(in_order_id, in_amount) END
  RETURNING * INTO wallet;
  IF NOT FOUND THEN RETURN; END IF;
  available := wallet.balance + wallet.credit_limit;

  INSERT INTO transactions (wallet_id, client_id, sequence, kind, order_id, transaction_type, amount,
    balance_after, source_currency, destination_currency, forex_rate, conversion_charges,
    reference_number, remarks, created_at)
  VALUES (wallet.id, wallet.client_id, wallet.entry_count, in_kind, in_order_id, in_type, in_amount,
    wallet.balance, in_source_currency, in_destination_currency, in_forex_rate, in_conversion_charges,
    in_reference, in_remarks, next_moment(wallet.client_id))
  RETURNING * INTO entry;

  INSERT INTO events (client_id, order_id, type, data)
  VALUES (wallet.client_id, in_order_id,
    CASE in_type WHEN 'CREDIT' THEN 'wallet.credited' ELSE 'wallet.debited' END,
    jsonb_build_object('wallet_id', wallet.id, 'ledger_id', entry.id,
      'amount', decimal_text(in_amount, wallet.currency_code), 'currency', wallet.currency_code,
      'reference_number', in_reference, 'remarks', in_remarks) || of_order);

  IF in_type = 'DEBIT' AND available < wallet.low_balance_threshold AND NOT wallet.low_balance_notified THEN
    INSERT INTO events (client_id, order_id, type, data)
    VALUES (wallet.client_id, in_order_id, 'wallet.low_balance',
      jsonb_build_object('wallet_id', wallet.id,
        'balance', decimal_text(wallet.balance, wallet.currency_code),
        'available', decimal_text(available, wallet.currency_code),
        'threshold', decimal_text(wallet.low_balance_threshold, wallet.currency_code),
        'currency', wallet.currency_code) || of_order)
    RETURNING id INTO event;
    INSERT INTO low_balance_mails (event_id, wallet_id, balance, available, threshold)
    VALUES (event, wallet.id, wallet.balance, available, wallet.low_balance_threshold);
    UPDATE wallets SET low_balance_notified = true WHERE id = wallet.id;
  ELSIF wallet.low_balance_notified AND available > wallet.low_balance_threshold THEN
    UPDATE wallets SET low_balance_notified = false WHERE id = wallet.id;
  END IF;

  RETURN NEXT entry;
END $$;

-- The trigger that keeps the history of a wallet's credit limit, and counts an increase for the rules of approval. Runs as the owner
-- of the schema, so that no other role writes the history.
CREATE OR REPLACE FUNCTION record_credit_limit() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO credit_limits (wallet_id, from_entry, credit_limit) VALUES (NEW.id, NEW.entry_count + 1, NEW.credit_limit);
  IF NEW.credit_limit > OLD.credit_limit THEN
    PERFORM count_operation('CREDIT_LIMIT', NEW.client_id, NEW.currency_code, NEW.credit_limit - OLD.credit_limit);
  END IF;
  RETURN NULL;
END $$;

-- The trigger that rejects entries of kind FUNDING and ADJUSTMENT from all roles but that of the operators' process and the owner of
-- the schema. The service could otherwise create money. pg_class has its schema's name, because a temporary table of the same name
-- would hide it.
CREATE OR REPLACE FUNCTION operators_money_written() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_user <> operator_role()
     AND NOT pg_has_role(current_user, (SELECT relowner FROM pg_catalog.pg_class WHERE oid = TG_RELID), 'MEMBER') THEN
    RAISE EXCEPTION 'role % writes no ledger entries of kind %', current_user, NEW.kind
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;

-- The trigger that rejects a new currency, and another code or number of decimals, from all roles but the owner of the schema: every
-- amount is rounded by them.
CREATE OR REPLACE FUNCTION currencies_written() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT pg_has_role(current_user, (SELECT relowner FROM pg_catalog.pg_class WHERE oid = TG_RELID), 'MEMBER') THEN
    RAISE EXCEPTION 'role % writes no currencies: only migrate does', current_user USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NULL;
END $$;

-- Credits play money. The caller writes the audit entry in the same transaction. Runs as the owner of the schema, so that the service
-- can call it; grants.sql allows no other role. Only the seeding of a sandbox writes scenarios, which the service cannot.
CREATE OR REPLACE FUNCTION fund_sandbox_wallet(
  in_wallet_id integer, in_amount numeric, in_reference text, in_remarks text
) RETURNS SETOF transactions LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM sandbox_scenarios) THEN
    RAISE EXCEPTION 'this installation is not a sandbox' USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM set_config('app.sandbox_funding', 'on', true);
  RETURN QUERY SELECT * FROM post_entry(in_wallet_id, 'FUNDING', 'CREDIT', in_amount, NULL, in_reference, in_remarks,
                                        NULL, NULL, NULL, NULL);
  PERFORM set_config('app.sandbox_funding', 'off', true);
END $$;

-- The trigger that rejects every change of a completed entry, even by hand.
CREATE OR REPLACE FUNCTION refuse_change_of_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Completed ledger entries are never changed or removed (transaction %)', OLD.id;
END $$;

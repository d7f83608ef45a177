-- Conversions between two wallets of a client. docs/decisions/0091-check-conversions-at-their-commit.md.
-- Rule: the rate, the fee and the rounding of a conversion between wallets

-- The rate and the fee in percent by which money of the first currency becomes money of the second: those of a product in the second one.
-- No row without a rate. Neither changes until the transaction ends. Runs as the owner of the schema, because the service may not lock them.
CREATE OR REPLACE FUNCTION lock_conversion_terms(in_from text, in_to text)
RETURNS TABLE (rate numeric, as_of timestamptz, fee_percent numeric) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  SELECT forex.rate, forex.as_of INTO rate, as_of
    FROM forex_rates forex WHERE (source_currency, destination_currency) = (in_to, in_from) FOR SHARE;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT fee.fee_percent INTO fee_percent FROM conversion_fees fee
   WHERE (source_currency, destination_currency, family) = (in_to, in_from, 'CONVERSION') FOR SHARE;
  fee_percent := coalesce(fee_percent, 0);
  RETURN NEXT;
END $$;

-- What a conversion of the amount comes to. The rate is the inverse, rounded down to 12 significant digits; the charges are rounded up to
-- the decimals of the second currency, and the converted amount down. So no round trip gains. Exact: it divides integers, and multiplies.
CREATE OR REPLACE FUNCTION price_conversion(in_amount numeric, in_rate numeric, in_fee_percent numeric, in_decimals integer)
RETURNS TABLE (forex_rate numeric, charges numeric, converted numeric) LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  -- The quotient has at least 12 digits, whatever the rate is.
  places   integer := length(trunc(in_rate)::text) + 12;
  quotient numeric := div(('1e' || places)::numeric, in_rate);
BEGIN
  forex_rate := trim_scale(trunc(quotient, 12 - length(quotient::text)) * ('1e-' || places)::numeric);
  charges := ceil(in_amount * forex_rate * in_fee_percent * 0.01 * ('1e' || in_decimals)::numeric) * ('1e-' || in_decimals)::numeric;
  converted := trunc(in_amount * forex_rate - charges, in_decimals);
  RETURN NEXT;
END $$;

-- Converts money of a client once for each reference. Returns CONVERTED, or why nothing is converted. A rate older than `in_stop_hours`
-- does not exist; null allows every age. The wallets are locked in the order of their ids, so that opposite conversions never deadlock.
CREATE OR REPLACE FUNCTION convert_money(
  in_client_id integer, in_reference text, in_from_wallet_id bigint, in_to_wallet_id bigint, in_amount numeric, in_stop_hours integer
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  payer  wallets;
  payee  wallets;
  terms  record;
  price  record;
  made   bigint;
  booked text;
BEGIN
  PERFORM FROM wallets WHERE id IN (in_from_wallet_id, in_to_wallet_id) AND client_id = in_client_id ORDER BY id FOR NO KEY UPDATE;
  SELECT * INTO payer FROM wallets WHERE id = in_from_wallet_id AND client_id = in_client_id AND closed_at IS NULL;
  SELECT * INTO payee FROM wallets WHERE id = in_to_wallet_id AND client_id = in_client_id AND closed_at IS NULL;
  IF payer.id IS NULL OR payee.id IS NULL THEN RETURN 'WALLET_CLOSED'; END IF;
  SELECT * INTO terms FROM lock_conversion_terms(payer.currency_code, payee.currency_code);
  IF NOT FOUND OR terms.as_of <= now() - in_stop_hours * interval '1 hour' THEN RETURN 'NO_RATE'; END IF;
  IF payer.balance < in_amount THEN RETURN 'INSUFFICIENT_BALANCE'; END IF;
  SELECT * INTO price FROM price_conversion(in_amount, terms.rate, terms.fee_percent,
                                            (SELECT minor_unit FROM currencies WHERE code = payee.currency_code));
  IF price.converted <= 0 THEN RETURN 'ROUNDS_TO_ZERO'; END IF;
  INSERT INTO conversions (client_id, reference, from_wallet_id, to_wallet_id, amount, converted_amount, forex_rate, conversion_charges)
  VALUES (in_client_id, in_reference, payer.id, payee.id, in_amount, price.converted, price.forex_rate, price.charges)
  ON CONFLICT (client_id, reference) DO NOTHING RETURNING id INTO made;
  IF made IS NULL THEN RETURN 'REFERENCE_USED'; END IF;
  booked := 'conversion-' || made;
  PERFORM FROM post_entry(payer.id, 'CONVERSION', 'DEBIT', in_amount, NULL, booked, 'Conversion to ' || payee.currency_code,
                          payer.currency_code, payee.currency_code, price.forex_rate, price.charges);
  PERFORM FROM post_entry(payee.id, 'CONVERSION', 'CREDIT', price.converted, NULL, booked, 'Conversion from ' || payer.currency_code,
                          payer.currency_code, payee.currency_code, price.forex_rate, price.charges);
  RETURN 'CONVERTED';
END $$;

-- The trigger that rejects each entry of kind CONVERSION that is not half of a conversion between two wallets of one client, at the stored
-- rate and fee, at the end of its transaction. Whoever writes it: the service could otherwise create money.
CREATE OR REPLACE FUNCTION check_conversion() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM FROM conversions made
     JOIN wallets payer ON payer.id = made.from_wallet_id AND payer.client_id = made.client_id
     JOIN wallets payee ON payee.id = made.to_wallet_id AND payee.client_id = made.client_id
     JOIN currencies currency ON currency.code = payee.currency_code
    CROSS JOIN LATERAL lock_conversion_terms(payer.currency_code, payee.currency_code) terms
    CROSS JOIN LATERAL price_conversion(made.amount, terms.rate, terms.fee_percent, currency.minor_unit) price
     JOIN transactions debit ON debit.wallet_id = payer.id AND debit.reference_number = NEW.reference_number AND debit.order_id IS NULL
     JOIN transactions credit ON credit.wallet_id = payee.id AND credit.reference_number = NEW.reference_number AND credit.order_id IS NULL
    WHERE 'conversion-' || made.id = NEW.reference_number AND NEW.id IN (debit.id, credit.id)
      AND (debit.kind, debit.transaction_type, debit.amount, debit.status) = ('CONVERSION', 'DEBIT', made.amount, 'COMPLETED')
      AND debit.balance_after >= 0
      AND (credit.kind, credit.transaction_type, credit.amount, credit.status) = ('CONVERSION', 'CREDIT', price.converted, 'COMPLETED')
      AND (made.converted_amount, made.forex_rate, made.conversion_charges) = (price.converted, price.forex_rate, price.charges)
      AND (debit.source_currency, debit.destination_currency, debit.forex_rate, debit.conversion_charges)
        = (payer.currency_code, payee.currency_code, price.forex_rate, price.charges)
      AND (credit.source_currency, credit.destination_currency, credit.forex_rate, credit.conversion_charges)
        = (payer.currency_code, payee.currency_code, price.forex_rate, price.charges);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'Transaction % is no half of a conversion between two wallets of a client at the present rate and fee', NEW.id
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NULL;
END $$;

-- The trigger that rejects every change of a conversion.
CREATE OR REPLACE FUNCTION refuse_change_of_conversion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Conversions are never changed or removed (conversion %)', OLD.id;
END $$;

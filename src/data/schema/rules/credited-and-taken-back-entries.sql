-- Rule: an entry of a bank is credited once, by a ledger entry of its amount, and a credit is taken back once, by at most as much

-- The trigger that lets an entry of a bank be credited once, by a ledger entry of its amount that names it: by a reference that its text
-- holds, or by its number (`bankReference` in src/data/wallets/operated-entries.ts). The entries of a booking are never credited beyond its amount. An entry
-- that takes a credited one back debits the wallet that this one credited, by the smaller of both amounts.
CREATE OR REPLACE FUNCTION keep_bank_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state = 'CREDITED' THEN RAISE EXCEPTION 'bank entry % is credited', OLD.id; END IF;
  IF OLD.state = 'DEBITED' THEN RAISE EXCEPTION 'bank entry % is debited', OLD.id; END IF;
  IF OLD.state = 'REPLACED' THEN RAISE EXCEPTION 'bank entry % is replaced', OLD.id; END IF;
  IF NEW.state = 'CREDITED' AND (NEW.direction <> 'CREDIT' OR NEW.is_reversal OR NOT EXISTS (
    SELECT FROM transactions entry JOIN wallets wallet ON wallet.id = entry.wallet_id
     WHERE entry.id = NEW.transaction_id AND entry.amount = NEW.amount AND wallet.currency_code = NEW.currency
       AND entry.kind = 'FUNDING' AND entry.transaction_type = 'CREDIT'
       AND entry.reference_number = ANY (NEW.refs || ARRAY['bank-' || NEW.id, 'bank-' || NEW.id || '-2']))) THEN
    RAISE EXCEPTION 'bank entry % is not credited by transaction %', NEW.id, NEW.transaction_id;
  END IF;
  IF NEW.state = 'CREDITED' AND NOT EXISTS (
    SELECT FROM bank_bookings booking
     WHERE booking.id = NEW.booking_id AND booking.account = NEW.account AND booking.currency = NEW.currency
       AND booking.direction = NEW.direction AND NOT booking.is_reversal
       AND booking.amount >= (SELECT sum(amount) FROM bank_entries WHERE booking_id = NEW.booking_id AND state = 'CREDITED')) THEN
    RAISE EXCEPTION 'bank booking % is credited beyond its amount', NEW.booking_id;
  END IF;
  IF NEW.state = 'DEBITED' AND NOT ((NEW.direction = 'DEBIT' OR NEW.is_reversal) AND EXISTS (
    SELECT FROM bank_entries credited JOIN transactions credit ON credit.id = credited.transaction_id
      JOIN transactions entry ON entry.wallet_id = credit.wallet_id
     WHERE credited.id = NEW.takes_back_id AND credited.state = 'CREDITED' AND credited.account = NEW.account
       AND credited.currency = NEW.currency AND entry.id = NEW.transaction_id AND entry.amount = least(credited.amount, NEW.amount)
       AND entry.kind = 'ADJUSTMENT' AND entry.transaction_type = 'DEBIT'
       AND entry.reference_number IN ('bank-' || NEW.id, 'bank-' || NEW.id || '-2'))) THEN
    RAISE EXCEPTION 'bank entry % does not take back entry % by transaction %', NEW.id, NEW.takes_back_id, NEW.transaction_id;
  END IF;
  RETURN NULL;
END $$;

-- Rule: a funding request ends once, and which entry credits it

-- The trigger that lets a funding request end once, and be credited only by the entry of its amount and reference in its wallet.
CREATE OR REPLACE FUNCTION keep_funding_request() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state <> 'PENDING' THEN RAISE EXCEPTION 'funding request % has ended', OLD.id; END IF;
  IF NEW.state = 'CREDITED' AND NOT EXISTS (
    SELECT FROM transactions WHERE id = NEW.transaction_id AND wallet_id = NEW.wallet_id AND amount = NEW.amount
       AND kind = 'FUNDING' AND transaction_type = 'CREDIT' AND reference_number = NEW.reference) THEN
    RAISE EXCEPTION 'funding request % is not credited by transaction %', NEW.id, NEW.transaction_id;
  END IF;
  RETURN NULL;
END $$;

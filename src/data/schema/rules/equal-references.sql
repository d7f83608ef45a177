-- References that operators give to fundings, adjustments and refunds. A repeated one changes nothing, however it is written.
-- docs/decisions/0078-refund-the-paid-unit-of-a-bad-replacement.md.
-- Rule: when two references of operators are the same, and which ones are reserved

-- The form in which references are compared: without case, width (NFKC) and invisible characters, trimmed. Migration 0017 has stored keys of
-- this form: a change of it leaves them as they are.
CREATE OR REPLACE FUNCTION reference_key(reference text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT lower(btrim(regexp_replace(normalize(reference, NFKC), '[\u0001-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]', '', 'g')))
$$;

-- The triggers that keep the reference of a new funding, adjustment or refund. Fail if another one has the same key.
CREATE OR REPLACE FUNCTION keep_entry_reference() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO operator_references (key, wallet_id, reference)
  VALUES (reference_key(NEW.reference_number), NEW.wallet_id, NEW.reference_number);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION keep_refund_reference() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO operator_references (key, order_id, reference) VALUES (reference_key(NEW.reference), NEW.order_id, NEW.reference);
  RETURN NULL;
END $$;

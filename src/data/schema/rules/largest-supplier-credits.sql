-- What suppliers credit us for claimed units. Each raised sentence (SQLSTATE DGREF) is for the operator.
-- Rule: when a supplier credits a unit, and by how much

-- What an amount in one currency is worth in another one now; null without a rate.
CREATE OR REPLACE FUNCTION value_now(in_amount numeric, in_currency text, in_other text) RETURNS numeric LANGUAGE sql STABLE AS $$
  SELECT in_amount * CASE WHEN in_currency = in_other THEN 1 ELSE (
    SELECT rate FROM cost_rates WHERE source_currency = in_currency AND destination_currency = in_other) END
$$;

-- What one unit of an order cost us, in the currency of its wallet at the present rates, as those of a credit: 0 if the supplier has
-- reversed the purchase, and null if the cost is unknown.
CREATE OR REPLACE FUNCTION cost_of_unit(o orders, in_unit integer) RETURNS numeric LANGUAGE sql STABLE AS $$
  SELECT max(CASE WHEN reversed_at IS NULL THEN value_now(cost / stored, cost_currency, o.deduction_currency) ELSE 0 END)
    FROM supplier_purchases
   WHERE order_id = o.id AND stored > 0 AND in_unit >= first_unit AND in_unit < first_unit + units
$$;

-- Records what the supplier credits us for the goods of the claim, in every state of the claim. A later credit of a claim replaces the earlier
-- one. The credits of all claims about the unit are together at most its cost, or its value if the cost is unknown; less than one minor unit
-- more is its rounding. Otherwise nothing is recorded without `in_force`.
CREATE OR REPLACE FUNCTION record_supplier_credit(
  in_claim_id bigint, in_currency text, in_amount numeric, in_force boolean,
  OUT is_recorded boolean, OUT credited numeric, OUT most numeric, OUT is_cost_known boolean, OUT currency text
) LANGUAGE plpgsql AS $$
DECLARE
  claim claims;
  o     orders;
  minor integer;
BEGIN
  SELECT * INTO claim FROM claims WHERE id = in_claim_id;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'There is no claim %. See them with: claims list', in_claim_id USING ERRCODE = 'DGREF';
  END IF;
  SELECT * INTO STRICT o FROM orders WHERE id = claim.order_id FOR NO KEY UPDATE;
  SELECT minor_unit INTO minor FROM currencies WHERE code = in_currency;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'The currency % is not in ISO 4217', in_currency USING ERRCODE = 'DGREF';
  END IF;
  IF in_amount <> round(in_amount, minor) THEN
    RAISE EXCEPTION '% is not an amount of %, which has % decimals', trim_scale(in_amount), in_currency, minor USING ERRCODE = 'DGREF';
  END IF;
  currency := o.deduction_currency;
  credited := value_now(in_amount, in_currency, currency);
  IF credited IS NULL THEN
    RAISE EXCEPTION 'There is no rate from % to %. Set it with: rates reference set', in_currency, currency USING ERRCODE = 'DGREF';
  END IF;

  most := cost_of_unit(o, coalesce(claim.unit, 1));
  is_cost_known := most IS NOT NULL;
  IF NOT is_cost_known THEN
    most := coalesce((paid_unit(o.id, coalesce(claim.unit, 1))).price, 0);
  END IF;
  SELECT minor_unit INTO minor FROM currencies WHERE code = currency;
  is_recorded := in_force OR credited - most + (
    SELECT coalesce(sum(coalesce(value_now(other.supplier_credit, other.supplier_credit_currency, currency), other.supplier_credit_value)), 0)
      FROM claims other WHERE other.order_id = o.id AND other.unit IS NOT DISTINCT FROM claim.unit AND other.id <> claim.id
       AND other.supplier_credit IS NOT NULL) < power(10::numeric, -minor);
  IF is_recorded THEN
    UPDATE claims SET supplier_credit = in_amount, supplier_credit_currency = in_currency, supplier_credited_at = now(),
                      supplier_credit_value = round(credited, 4) WHERE id = claim.id;
  END IF;
END $$;

-- The trigger that keeps each credit, and by how much it changes the one that it replaces: the month of an earlier credit keeps it. Runs as
-- the owner of the schema, so that no other role writes the history.
CREATE OR REPLACE FUNCTION keep_supplier_credit() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO supplier_credits (claim_id, credit, currency, value, change, recorded_at)
  VALUES (NEW.id, NEW.supplier_credit, NEW.supplier_credit_currency, NEW.supplier_credit_value,
          NEW.supplier_credit_value - coalesce(OLD.supplier_credit_value, 0), NEW.supplier_credited_at);
  RETURN NULL;
END $$;

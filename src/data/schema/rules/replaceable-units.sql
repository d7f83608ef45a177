-- Orders that replace a claimed unit. Each raised sentence (SQLSTATE DGREF) is for the operator.
-- Rule: when a unit is replaced, and what becomes of its claim

-- The trigger that decides an order which replaces a unit, under the lock of the old order: an ended order, of which no purchase is open
-- or unknown. The unit was delivered, and is neither refunded, even in part, nor replaced; its price must be left to refund. Voids the code of
-- a gift card, unless it was redeemed. The price of a replacement of a replacement is 0: the first one took the price of the paid unit.
CREATE OR REPLACE FUNCTION decide_replacement() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  o       orders;
  settled RECORD;
  paid    RECORD;
BEGIN
  UPDATE orders SET replacement_count = replacement_count + 1 WHERE id = NEW.replaces_order_id RETURNING * INTO STRICT o;
  IF o.completed_at IS NULL OR EXISTS (
    SELECT FROM supplier_purchases WHERE order_id = o.id AND state IN ('READY', 'HELD', 'SENT', 'PENDING')) THEN
    RAISE EXCEPTION 'Order % is %, or the outcome of a purchase is open: only a unit of an order that has ended can be replaced', o.id,
      o.status USING ERRCODE = 'DGREF';
  END IF;
  SELECT * INTO paid FROM paid_unit(o.id, NEW.replaces_unit);
  PERFORM FROM orders WHERE id = paid.order_id FOR NO KEY UPDATE;
  -- After the locks: these statements see every refund and replacement that was committed before.
  SELECT * INTO settled FROM settled_units(o.id);
  IF o.family = 'VOUCHER' THEN
    PERFORM void_unit(o.id, NEW.replaces_unit, 'replaced');
  END IF;
  IF EXISTS (SELECT FROM order_refunds WHERE order_id = paid.order_id AND for_unit = paid.unit AND (units IS NULL OR paid.order_id <> o.id)) THEN
    RAISE EXCEPTION 'Unit % of order % was refunded, at least in part: it is not replaced. Refund the rest by an amount', paid.unit,
      paid.order_id USING ERRCODE = 'DGREF';
  END IF;
  IF settled.units + partly_refunded_units(o.id) + 1 > o.delivered_quantity THEN
    RAISE EXCEPTION 'Order % has % delivered units, and all are refunded or replaced', o.id, o.delivered_quantity USING ERRCODE = 'DGREF';
  END IF;
  NEW.replaced_price := price_of_units(o, settled.of_units, settled.units, 1);
  IF settled.amount + NEW.replaced_price > kept_debit(o) THEN
    RAISE EXCEPTION 'Order % kept % %, of which % are refunded or replaced: the price of the unit, %, is not left', o.id,
      trim_scale(kept_debit(o)), o.deduction_currency, trim_scale(settled.amount), trim_scale(NEW.replaced_price) USING ERRCODE = 'DGREF';
  END IF;
  RETURN NEW;
END $$;

-- The trigger of the end of an order that replaces a unit: the claim is REPLACED, or waits for another decision if nothing was delivered,
-- and the code of the unit is valid again. An erasure of the old order also erases this one, whose recipient may have been read before, or
-- while a mail of the old order was due. Runs as the owner of the schema, because the service decides no claim.
CREATE OR REPLACE FUNCTION conclude_replacement() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  -- Before its claim, as an erasure locks them.
  PERFORM FROM orders WHERE id = NEW.replaces_order_id FOR KEY SHARE;
  IF NEW.status = 'DELIVERED' THEN
    UPDATE claims SET outcome = 'REPLACED', closed_at = now() WHERE replacement_order_id = NEW.id;
  ELSE
    UPDATE vouchers SET voided_at = NULL WHERE order_id = NEW.replaces_order_id AND unit = NEW.replaces_unit;
    UPDATE claims SET state = 'OPEN', replacement_order_id = NULL WHERE replacement_order_id = NEW.id;
  END IF;
  INSERT INTO order_erasures (order_id, request_id)
  SELECT NEW.id, request_id FROM order_erasures WHERE order_id = NEW.replaces_order_id ON CONFLICT (order_id) DO NOTHING;
  RETURN NULL;
END $$;

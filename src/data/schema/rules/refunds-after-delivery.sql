-- Refunds after delivery: rows of order_refunds. Each raised sentence (SQLSTATE DGREF) is for the operator.
-- Rule: what a refund after delivery may be

-- The sum of the order's credited refunds after delivery.
CREATE OR REPLACE FUNCTION refunded_after(o orders) RETURNS numeric LANGUAGE sql STABLE AS $$
  SELECT CASE o.refund_count WHEN 0 THEN 0 ELSE (
    SELECT coalesce(sum(amount), 0) FROM order_refunds WHERE order_id = o.id AND transaction_id IS NOT NULL) END
$$;

-- What refunds and replacements have taken of the order: in all, by units, and the number of these units. A replacement takes the price of
-- its unit, unless it failed. What is refunded for a replaced unit is within this price.
CREATE OR REPLACE FUNCTION settled_units(in_order_id bigint) RETURNS TABLE (amount numeric, of_units numeric, units bigint)
LANGUAGE sql STABLE AS $$
  WITH replacement AS (
    SELECT replaces_unit, replaced_price FROM orders
     WHERE replaces_order_id = in_order_id AND status NOT IN ('FAILED', 'CANCELLED'))
  SELECT coalesce(sum(part.amount), 0), coalesce(sum(part.amount) FILTER (WHERE part.units IS NOT NULL), 0), coalesce(sum(part.units), 0)
    FROM (SELECT refund.amount, refund.units FROM order_refunds refund
           WHERE refund.order_id = in_order_id AND NOT EXISTS (SELECT FROM replacement WHERE replaces_unit = refund.for_unit)
          UNION ALL
          SELECT replaced_price, 1 FROM replacement) part
$$;

-- The number of units of which only an amount was refunded, without replaced units. They are neither refunded whole nor replaced.
CREATE OR REPLACE FUNCTION partly_refunded_units(in_order_id bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT count(DISTINCT refund.for_unit) FROM order_refunds refund
   WHERE refund.order_id = in_order_id AND refund.units IS NULL
     AND NOT EXISTS (SELECT FROM orders WHERE replaces_order_id = in_order_id AND replaces_unit = refund.for_unit
                        AND status NOT IN ('FAILED', 'CANCELLED'))
$$;

-- The price of so many more units of the order: their share of the kept debit, rounded once with the units before them, less what those
-- took, so that all delivered units together take the kept debit.
CREATE OR REPLACE FUNCTION price_of_units(o orders, of_units numeric, earlier_units bigint, more_units integer) RETURNS numeric
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN round(round(kept_debit(o) * (earlier_units + more_units), 20) / o.delivered_quantity,
               (SELECT minor_unit FROM currencies WHERE code = o.deduction_currency)) - of_units;
END $$;

-- The unit of the order that was paid for the unit, through any chain of replacements, and its value: the price that it takes of that order.
CREATE OR REPLACE FUNCTION paid_unit(in_order_id bigint, in_unit integer, OUT order_id bigint, OUT unit integer, OUT price numeric)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  o orders;
BEGIN
  unit := in_unit;
  SELECT * INTO STRICT o FROM orders WHERE id = in_order_id;
  WHILE o.replaces_order_id IS NOT NULL LOOP
    price := o.replaced_price;
    unit := o.replaces_unit;
    SELECT * INTO STRICT o FROM orders WHERE id = o.replaces_order_id;
  END LOOP;
  order_id := o.id;
  IF price IS NULL AND o.delivered_quantity > 0 THEN
    price := price_of_units(o, 0, 0, 1);
  END IF;
END $$;

-- The order and the unit that the client has now for the unit: of the last order that replaced it, unless that failed.
CREATE OR REPLACE FUNCTION present_unit(in_order_id bigint, in_unit integer, OUT order_id bigint, OUT unit integer)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  next_id bigint := in_order_id;
BEGIN
  unit := in_unit;
  WHILE next_id IS NOT NULL LOOP
    order_id := next_id;
    next_id := (SELECT id FROM orders WHERE replaces_order_id = present_unit.order_id AND replaces_unit = present_unit.unit
                   AND status NOT IN ('FAILED', 'CANCELLED'));
    IF next_id IS NOT NULL THEN unit := 1; END IF;
  END LOOP;
END $$;

-- What was refunded for the unit of an order, whether whole, and the price that a replacement takes for it; null without one.
CREATE OR REPLACE FUNCTION settled_unit(in_order_id bigint, in_unit integer) RETURNS TABLE (refunded numeric, is_whole boolean, replaced_price numeric)
LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(refund.amount), 0), coalesce(bool_or(refund.units IS NOT NULL), false),
         (SELECT o.replaced_price FROM orders o
           WHERE o.replaces_order_id = in_order_id AND o.replaces_unit = in_unit AND o.status NOT IN ('FAILED', 'CANCELLED'))
    FROM order_refunds refund WHERE refund.order_id = in_order_id AND refund.for_unit = in_unit
$$;

-- Voids the code of a delivered unit, which cannot pay for orders afterwards. Fails if the code was redeemed or voided. `in_purpose`: what
-- happens to the unit, for the sentence.
CREATE OR REPLACE FUNCTION void_unit(in_order_id bigint, in_unit integer, in_purpose text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE vouchers SET voided_at = now()
   WHERE order_id = in_order_id AND unit = in_unit AND redeemed_at IS NULL AND voided_at IS NULL;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'Unit % of order % is no gift card that can be %: it was not delivered, or was redeemed, refunded or replaced',
      in_unit, in_order_id, in_purpose USING ERRCODE = 'DGREF';
  END IF;
END $$;

-- The trigger that decides a new row under the order's lock: an ended order is refunded at most its kept debit, whether the earlier
-- refunds were credited or wait. It numbers the row and computes the amount of units (`price_of_units`). It voids the code of a
-- named gift card, unless the code was redeemed. A gift card that is redeemable must be named, because its code is worth money.
-- For one unit, at most its value is refunded: whole once, or by amounts. A replaced unit is refunded only by the claim about the goods that
-- the client has for it now; then their code is voided. An order that replaces a unit is never refunded: the paid one is.
-- Rejected: checks in the statement that inserts, which another statement of an operator could omit.
CREATE OR REPLACE FUNCTION decide_refund() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  o        orders;
  minor    integer;
  kept     numeric;
  settled  RECORD;
  earlier  RECORD;
  goods    RECORD;
  partly   bigint;
  value    numeric;
  by_claim boolean;
BEGIN
  UPDATE orders SET refund_count = refund_count + 1 WHERE id = NEW.order_id RETURNING * INTO o;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'There is no order %. Find it with: orders find', NEW.order_id USING ERRCODE = 'DGREF';
  END IF;
  IF o.completed_at IS NULL THEN
    RAISE EXCEPTION 'Order % is %: only an order that has ended can be refunded', o.id, o.status USING ERRCODE = 'DGREF';
  END IF;
  IF o.replaces_order_id IS NOT NULL THEN
    RAISE EXCEPTION 'Order % replaces a unit and was charged nothing: accept a claim about it by a refund of order %, which was paid', o.id,
      (paid_unit(o.id, 1)).order_id USING ERRCODE = 'DGREF';
  END IF;
  NEW.units := CASE WHEN NEW.unit IS NOT NULL THEN 1 ELSE NEW.units END;
  NEW.for_unit := coalesce(NEW.unit, NEW.for_unit, CASE WHEN NEW.units IS NOT NULL AND o.quantity = 1 THEN 1 END);
  -- After the lock: these statements see every refund that was committed before.
  SELECT * INTO settled FROM settled_units(o.id);
  SELECT * INTO earlier FROM settled_unit(o.id, NEW.for_unit);
  SELECT * INTO goods FROM present_unit(o.id, NEW.for_unit);
  partly := partly_refunded_units(o.id);
  SELECT minor_unit INTO minor FROM currencies WHERE code = o.deduction_currency;
  kept := kept_debit(o);
  by_claim := earlier.replaced_price IS NOT NULL AND EXISTS (
    SELECT FROM claims claim JOIN orders held ON held.id = claim.order_id
     WHERE claim.order_id = goods.order_id AND 'claim-' || claim.id = NEW.reference AND claim.state IN ('OPEN', 'AT_SUPPLIER')
       AND held.completed_at IS NOT NULL);

  IF NEW.unit IS NOT NULL THEN
    PERFORM void_unit(CASE WHEN by_claim THEN goods.order_id ELSE o.id END, CASE WHEN by_claim THEN goods.unit ELSE NEW.unit END, 'refunded');
  ELSIF o.family = 'VOUCHER' AND (
    EXISTS (SELECT FROM voucher_products WHERE id = o.product_id AND redeemable)
    OR EXISTS (SELECT FROM vouchers WHERE order_id IN (o.id, goods.order_id) AND redeemed_at IS NOT NULL)) THEN
    RAISE EXCEPTION 'The gift cards of order % can pay for orders: name each refunded one with --unit, so that its code is voided',
      o.id USING ERRCODE = 'DGREF';
  END IF;

  IF NEW.units IS NOT NULL THEN
    IF earlier.refunded > 0 AND (by_claim OR NOT earlier.is_whole) THEN
      RAISE EXCEPTION 'Of unit % of order %, % % are refunded: it is not refunded whole. Refund the rest by an amount', NEW.for_unit, o.id,
        trim_scale(earlier.refunded), o.deduction_currency USING ERRCODE = 'DGREF';
    END IF;
    IF NOT by_claim AND settled.units + partly + NEW.units > o.delivered_quantity THEN
      RAISE EXCEPTION 'Order % has % delivered units, of which % are refunded or replaced: % cannot be refunded', o.id, o.delivered_quantity,
        settled.units + partly, NEW.units USING ERRCODE = 'DGREF';
    END IF;
    NEW.amount := CASE WHEN by_claim THEN earlier.replaced_price
                       ELSE price_of_units(o, settled.of_units, settled.units, NEW.units) END;
  ELSIF NEW.amount <> round(NEW.amount, minor) THEN
    RAISE EXCEPTION '% is not an amount of %, which has % decimals', trim_scale(NEW.amount), o.deduction_currency, minor
      USING ERRCODE = 'DGREF';
  ELSIF NEW.for_unit IS NOT NULL THEN
    IF NOT EXISTS (SELECT FROM vouchers WHERE order_id = o.id AND unit = NEW.for_unit)
       AND NOT (o.family <> 'VOUCHER' AND NEW.for_unit = 1 AND o.delivered_quantity > 0) THEN
      RAISE EXCEPTION 'Unit % of order % was not delivered', NEW.for_unit, o.id USING ERRCODE = 'DGREF';
    END IF;
    IF earlier.replaced_price IS NOT NULL AND earlier.refunded = 0 AND NOT by_claim THEN
      RAISE EXCEPTION 'Unit % of order % is replaced by order %: accept a claim about that order by a refund', NEW.for_unit, o.id,
        goods.order_id USING ERRCODE = 'DGREF';
    END IF;
    value := coalesce(earlier.replaced_price, price_of_units(o, 0, 0, 1));
    IF earlier.is_whole OR earlier.refunded + NEW.amount > value THEN
      RAISE EXCEPTION 'Unit % of order % is worth % %, of which % are refunded: % more are not left', NEW.for_unit, o.id, trim_scale(value),
        o.deduction_currency, trim_scale(earlier.refunded), trim_scale(NEW.amount) USING ERRCODE = 'DGREF';
    END IF;
  END IF;
  IF NEW.amount = 0 THEN
    RAISE EXCEPTION 'The share of % units of order % rounds to 0 %: refund more units at once', NEW.units, o.id,
      o.deduction_currency USING ERRCODE = 'DGREF';
  END IF;
  -- The price of a replaced unit is taken already.
  IF earlier.replaced_price IS NULL AND settled.amount + NEW.amount > kept THEN
    RAISE EXCEPTION 'Order % kept % %, of which % are refunded or replaced: % more are not left', o.id, trim_scale(kept), o.deduction_currency,
      trim_scale(settled.amount), trim_scale(NEW.amount) USING ERRCODE = 'DGREF';
  END IF;

  NEW.number := o.refund_count;
  NEW.transaction_id := NULL;
  NEW.operator := coalesce(nullif(current_setting('app.operator', true), ''), session_user);
  RETURN NEW;
END $$;

-- The trigger that records an entry of kind REFUND_AFTER in its refund. Fails unless a refund that was not credited says exactly what
-- the entry does. So every role can carry out a refund, once, and none can invent one. The refund of a claim closes the claim. Runs as the owner of the schema, because no other
-- role changes a refund.
CREATE OR REPLACE FUNCTION record_credited_refund() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE order_refunds refund SET transaction_id = NEW.id FROM orders o
   WHERE refund.order_id = NEW.order_id AND o.id = refund.order_id AND refund.transaction_id IS NULL
     AND NEW.reference_number = 'order-' || refund.order_id || '-r' || refund.number
     AND NEW.amount = refund.amount AND NEW.wallet_id = o.wallet_id AND NEW.client_id = o.client_id
     AND NEW.transaction_type = 'CREDIT' AND NEW.status = 'COMPLETED';
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no refund allows the entry % of order %', NEW.reference_number, NEW.order_id
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  -- A claim whose refund waited for its wallet. A claim that is being accepted gets its outcome with its refund.
  UPDATE claims SET outcome = 'REFUNDED', closed_at = now()
   WHERE refund_order_id = NEW.order_id AND 'order-' || refund_order_id || '-r' || refund_number = NEW.reference_number;
  RETURN NULL;
END $$;

-- Credits a refund, and writes its event and its mail. Changes nothing if it is credited. If the wallet is closed, puts the order on the
-- attention list. Returns whether it credited. Locks the wallet first, so that only one caller finds the refund not credited.
CREATE OR REPLACE FUNCTION carry_out_refund(in_order_id bigint, in_number integer) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  o         orders;
  refund    order_refunds;
  converted boolean;
BEGIN
  SELECT * INTO STRICT o FROM orders WHERE id = in_order_id;
  PERFORM FROM wallets WHERE id = o.wallet_id FOR NO KEY UPDATE;
  SELECT * INTO refund FROM order_refunds
   WHERE order_id = in_order_id AND number = in_number AND transaction_id IS NULL;
  IF NOT FOUND THEN RETURN false; END IF;

  converted := o.forex_rate IS NOT NULL;
  PERFORM FROM post_entry(o.wallet_id, 'REFUND_AFTER', 'CREDIT', refund.amount, o.id, 'order-' || o.id || '-r' || refund.number,
    'Refund ' || refund.number || ' of order ' || o.id,
    CASE WHEN converted THEN o.base_currency END, CASE WHEN converted THEN o.deduction_currency END,
    o.forex_rate, CASE WHEN converted THEN 0 END, o.family);
  IF NOT FOUND THEN
    INSERT INTO attention (kind, order_id, reason)
    VALUES ('REFUND_AFTER_DUE', o.id, 'A refund after delivery waits, because wallet ' || o.wallet_id || ' is closed')
    ON CONFLICT (kind, order_id, supplier, endpoint_id, reference) DO UPDATE
      SET cleared_at = NULL, settlement = NULL, mirrored = false, since = now() WHERE attention.cleared_at IS NOT NULL;
    RETURN false;
  END IF;

  PERFORM write_order_event(o, 'refunded', jsonb_build_object('refund_id', refund.number,
    'refund_amount', trim_scale(refund.amount), 'reason_code', refund.reason_code));
  IF refund.mail THEN
    INSERT INTO refund_mails (order_id, number) VALUES (refund.order_id, refund.number);
  END IF;
  UPDATE attention SET cleared_at = now(), mirrored = false
   WHERE order_id = o.id AND kind = 'REFUND_AFTER_DUE' AND cleared_at IS NULL
     AND NOT EXISTS (SELECT FROM order_refunds WHERE order_id = o.id AND transaction_id IS NULL);
  RETURN true;
END $$;

-- Inserts the refund, unless the order has one with the reference (`reference_key`). Returns its number and whether it is new. Fails if the
-- earlier one differs. `in_unit` with `in_amount`: an amount for this unit.
CREATE OR REPLACE FUNCTION request_refund(
  in_order_id bigint, in_reference text, in_units integer, in_unit integer, in_amount numeric, in_reason_code text, in_note text,
  in_mail boolean
) RETURNS TABLE (refund_number integer, is_new boolean) LANGUAGE plpgsql AS $$
DECLARE
  earlier order_refunds;
BEGIN
  -- Not of an open order, which a settlement updates while it holds the wallet.
  PERFORM FROM orders WHERE id = in_order_id AND completed_at IS NOT NULL FOR NO KEY UPDATE;
  SELECT * INTO earlier FROM order_refunds
   WHERE order_id = in_order_id AND reference_key(reference) = reference_key(in_reference)
   ORDER BY reference <> in_reference, number LIMIT 1;
  IF NOT FOUND THEN
    RETURN QUERY INSERT INTO order_refunds AS refund (order_id, reference, units, unit, for_unit, amount, reason_code, note, mail)
      VALUES (in_order_id, in_reference, in_units, CASE WHEN in_amount IS NULL THEN in_unit END,
              CASE WHEN in_amount IS NOT NULL THEN in_unit END, in_amount, in_reason_code, in_note, in_mail)
      RETURNING refund.number, true;
    RETURN;
  END IF;
  IF (earlier.units, CASE WHEN earlier.units IS NULL THEN earlier.for_unit ELSE earlier.unit END, earlier.reason_code) IS DISTINCT FROM
     (CASE WHEN in_amount IS NULL AND in_unit IS NOT NULL THEN 1 ELSE in_units END, in_unit, in_reason_code)
     OR earlier.amount <> in_amount THEN
    RAISE EXCEPTION 'Reference % belongs to another refund of order %: refund %, % of % units', in_reference, in_order_id,
      earlier.number, trim_scale(earlier.amount), coalesce(earlier.units, 0) USING ERRCODE = 'DGREF';
  END IF;
  RETURN QUERY SELECT earlier.number, false;
END $$;

-- Refunds an order: `request_refund`, and `carry_out_refund` for a new refund. Locks the wallet before the order and its gift cards, as a
-- settlement and a redemption do.
CREATE OR REPLACE FUNCTION refund_order(
  in_order_id bigint, in_reference text, in_units integer, in_unit integer, in_amount numeric, in_reason_code text, in_note text,
  in_mail boolean
) RETURNS TABLE (refund_number integer, is_new boolean) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM wallets WHERE id = (SELECT wallet_id FROM orders WHERE id = in_order_id) FOR NO KEY UPDATE;
  SELECT requested.refund_number, requested.is_new INTO refund_number, is_new
    FROM request_refund(in_order_id, in_reference, in_units, in_unit, in_amount, in_reason_code, in_note, in_mail) requested;
  PERFORM carry_out_refund(in_order_id, refund_number);
  RETURN NEXT;
END $$;

-- Decides each line of an import, in the sequence of the orders, so that two imports never wait for each other in turn. A line that repeats
-- a refund takes that refund. A line that `request_refund` rejects has its sentence.
CREATE OR REPLACE FUNCTION request_refunds(in_import_id integer, in_lines jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  given    record;
  found_in integer;
  is_added boolean;
  rejected text;
BEGIN
  FOR given IN
    SELECT * FROM jsonb_to_recordset(in_lines) AS line (line integer, order_id bigint, reference text, units integer, unit integer,
      amount numeric, reason_code text, note text, mail boolean)
     ORDER BY order_id, line
  LOOP
    rejected := NULL;
    BEGIN
      SELECT refund_number, is_new INTO found_in, is_added
        FROM request_refund(given.order_id, given.reference, given.units, given.unit, given.amount, given.reason_code, given.note,
                            given.mail);
    EXCEPTION WHEN SQLSTATE 'DGREF' THEN
      found_in := NULL;
      is_added := false;
      rejected := SQLERRM;
    END;
    INSERT INTO refund_import_lines (import_id, line, order_id, reference, number, is_new, error)
    VALUES (in_import_id, given.line, given.order_id, given.reference, found_in, is_added, rejected);
  END LOOP;
END $$;

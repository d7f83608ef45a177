-- Claims of clients about delivered goods. Each raised sentence (SQLSTATE DGREF) is for the operator.
-- Rule: when a claim is opened for a client, accepted or rejected

-- The facts of `claim.updated`, version 1: the claim without its text. `change` numbers the changes of the claim.
CREATE OR REPLACE FUNCTION claim_facts(claim claims) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('id', claim.id, 'order_id', claim.order_id, 'order_family', o.family, 'unit', claim.unit,
    'kind', claim.kind, 'state', claim.state, 'outcome', claim.outcome, 'replacement_order_id', claim.replacement_order_id,
    'created_at', rfc3339(claim.created_at), 'due_at', rfc3339(claim.due_at), 'closed_at', rfc3339(claim.closed_at),
    'change', claim.changes)
    FROM orders o WHERE o.id = claim.order_id
$$;

-- The trigger that numbers each change of a claim, and writes its event.
CREATE OR REPLACE FUNCTION record_claim_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changes := OLD.changes + 1;
  INSERT INTO events (client_id, order_id, type, data) VALUES (NEW.client_id, NEW.order_id, 'claim.updated', claim_facts(NEW));
  RETURN NEW;
END $$;

-- Opens a claim for the client of the order, with all rules of a claim that the client files, and notifies the client. Needs the person whom
-- the transaction names, so that the trigger of the audit writes its entry. Runs as the owner of the schema, because no operator inserts
-- claims in another way.
CREATE OR REPLACE FUNCTION open_claim(
  in_order_id bigint, in_unit integer, in_kind text, in_sealed_text bytea, in_days integer, in_due_days integer
) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  person text := nullif(current_setting('app.accountable', true), '');
  o      orders;
  claim  claims;
BEGIN
  IF person IS NULL OR coalesce(current_setting('app.command', true), '') = '' THEN
    RAISE EXCEPTION 'a claim is opened in the name of a person' USING ERRCODE = 'insufficient_privilege';
  END IF;
  SELECT * INTO o FROM orders WHERE id = in_order_id FOR NO KEY UPDATE;
  PERFORM require_claimable(in_order_id, in_unit, in_days);
  IF (o.family = 'VOUCHER') <> (in_unit IS NOT NULL) THEN
    RAISE EXCEPTION '%', CASE o.family WHEN 'VOUCHER' THEN 'Name the gift card that is claimed: --unit'
                              ELSE 'Order ' || o.id || ' has one unit: leave out --unit' END USING ERRCODE = 'DGREF';
  END IF;
  IF in_kind = 'UNUSED' AND o.family <> 'ESIM' THEN
    RAISE EXCEPTION 'Only an eSIM can be claimed as UNUSED' USING ERRCODE = 'DGREF';
  END IF;
  INSERT INTO claims (client_id, order_id, unit, kind, sealed_text, due_at, opened_by, changes)
  VALUES (o.client_id, o.id, in_unit, in_kind, in_sealed_text, now() + in_due_days * interval '1 day', person, 1)
  ON CONFLICT (order_id, unit) WHERE closed_at IS NULL DO NOTHING RETURNING * INTO claim;
  IF claim.id IS NULL THEN
    RAISE EXCEPTION 'The client has an open claim about this already: claim %',
      (SELECT id FROM claims WHERE order_id = o.id AND unit IS NOT DISTINCT FROM in_unit AND closed_at IS NULL) USING ERRCODE = 'DGREF';
  END IF;
  INSERT INTO events (client_id, order_id, type, data) VALUES (claim.client_id, claim.order_id, 'claim.updated', claim_facts(claim));
  RETURN claim.id;
END $$;

-- Locks the claim. Fails unless it waits for a decision. A refund locks the wallet before the order, and an erasure locks the order before
-- its claims: a decision locks all three in this sequence, so that none of them waits for another one in a circle.
CREATE OR REPLACE FUNCTION lock_claim(in_claim_id bigint) RETURNS claims LANGUAGE plpgsql AS $$
DECLARE
  claim claims;
BEGIN
  SELECT * INTO claim FROM claims WHERE id = in_claim_id;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'There is no claim %. See them with: claims list', in_claim_id USING ERRCODE = 'DGREF';
  END IF;
  PERFORM FROM wallets WHERE id = (SELECT wallet_id FROM orders WHERE id = claim.order_id) FOR NO KEY UPDATE;
  PERFORM FROM orders WHERE id = claim.order_id FOR NO KEY UPDATE;
  SELECT * INTO STRICT claim FROM claims WHERE id = in_claim_id FOR NO KEY UPDATE;
  IF claim.state NOT IN ('OPEN', 'AT_SUPPLIER') THEN
    RAISE EXCEPTION 'Claim % is %: only a claim that is OPEN or AT_SUPPLIER can be decided', claim.id, claim.state USING ERRCODE = 'DGREF';
  END IF;
  RETURN claim;
END $$;

-- Marks that the supplier was asked. Changes nothing if it was marked before.
CREATE OR REPLACE FUNCTION send_claim(in_claim_id bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_claim(in_claim_id);
  UPDATE claims SET state = 'AT_SUPPLIER' WHERE id = in_claim_id;
END $$;

CREATE OR REPLACE FUNCTION reject_claim(in_claim_id bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_claim(in_claim_id);
  UPDATE claims SET state = 'REJECTED', closed_at = now() WHERE id = in_claim_id;
END $$;

-- Refunds the claimed unit, or an amount for it instead, and accepts the claim: both or neither. Hides the code of an unused eSIM. `decide_refund` decides the refund, which is one
-- of the order that was paid for the unit. If the wallet is closed, the refund waits, and its credit closes the claim.
CREATE OR REPLACE FUNCTION accept_claim_by_refund(in_claim_id bigint, in_amount numeric, in_reason_code text, in_mail boolean)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  claim    claims;
  paid     RECORD;
  refunded integer;
  credited boolean;
BEGIN
  claim := lock_claim(in_claim_id);
  SELECT * INTO paid FROM paid_unit(claim.order_id, coalesce(claim.unit, 1));
  SELECT refund_number INTO refunded
    FROM request_refund(paid.order_id, 'claim-' || claim.id, CASE WHEN in_amount IS NULL AND claim.unit IS NULL THEN 1 END,
                        CASE WHEN in_amount IS NOT NULL OR claim.unit IS NOT NULL THEN paid.unit END, in_amount, in_reason_code, NULL,
                        in_mail);
  credited := carry_out_refund(paid.order_id, refunded);
  IF claim.kind = 'UNUSED' THEN
    UPDATE esim_orders SET voided_at = now() WHERE order_id = claim.order_id;
  END IF;
  UPDATE claims SET state = 'ACCEPTED', refund_order_id = paid.order_id, refund_number = refunded,
                    outcome = CASE WHEN credited THEN 'REFUNDED' END, closed_at = CASE WHEN credited THEN now() END
   WHERE id = claim.id;
  RETURN refunded;
END $$;

-- Accepts the claim by an order of one unit that is charged 0: claim and order, or neither. `decide_replacement` decides. The order's
-- purchase is READY: its workflow buys it, and maintenance starts the workflow if no process does. `in_sealed_email`, `in_sealed_input`: those
-- of the old order, sealed to the new nonce.
CREATE OR REPLACE FUNCTION accept_claim_by_replacement(
  in_claim_id bigint, in_nonce text, in_sources jsonb, in_sealed_email bytea, in_sealed_input bytea
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  claim  claims;
  o      orders;
  new_id bigint;
BEGIN
  claim := lock_claim(in_claim_id);
  IF claim.kind = 'UNUSED' THEN
    RAISE EXCEPTION 'Claim % is UNUSED: such an eSIM is refunded, never replaced', claim.id USING ERRCODE = 'DGREF';
  END IF;
  SELECT * INTO STRICT o FROM orders WHERE id = claim.order_id;

  INSERT INTO order_reservations (nonce, state, accept_by, client_id, family, wallet_id, total_payable, details)
  VALUES (in_nonce, 'PLACED', now(), o.client_id, o.family, o.wallet_id, 0, jsonb_build_object('quantity', 1))
  RETURNING order_id INTO new_id;
  INSERT INTO orders (id, nonce, client_id, family, product_id, product_name, country_code, sources, quantity, unit_amount, amount, discount,
                      base_currency, wallet_id, deduction_currency, total_payable, forex_rate, sealed_email, email_hash, placed_at,
                      replaces_order_id, replaces_unit)
  VALUES (new_id, in_nonce, o.client_id, o.family, o.product_id, o.product_name, o.country_code, in_sources, 1, o.unit_amount, o.unit_amount, 0,
          o.base_currency, o.wallet_id, o.deduction_currency, 0, o.forex_rate, in_sealed_email, o.email_hash, next_moment(o.client_id),
          o.id, coalesce(claim.unit, 1));
  INSERT INTO topup_orders (order_id, variant_id, variant_name, sealed_input, phone_hash)
  SELECT new_id, variant_id, variant_name, in_sealed_input, phone_hash FROM topup_orders WHERE order_id = o.id;
  IF NOT coalesce((SELECT is_rechargeable(recharges_order_id) FROM esim_orders WHERE order_id = o.id AND recharges_order_id IS NOT NULL), true) THEN
    RAISE EXCEPTION 'The eSIM that order % recharges cannot be recharged any more: refund the claim instead', o.id USING ERRCODE = 'DGREF';
  END IF;
  INSERT INTO esim_orders (order_id, variant_id, data_amount_gb, validity_days, recharges_order_id)
  SELECT new_id, variant_id, data_amount_gb, validity_days, recharges_order_id FROM esim_orders WHERE order_id = o.id;
  INSERT INTO supplier_purchases (reference, order_id, batch, first_unit, units, source_id, supplier, sku, data, why, state, attempt)
  SELECT purchase_reference(new_id, in_nonce, 1), new_id, 1, 1, 1, first.id, first.supplier, first.sku, nullif(first.data, 'null'), first.why,
         'READY', 0
    FROM jsonb_to_record(in_sources->0) AS first (id integer, supplier text, sku text, data jsonb, why text);
  UPDATE claims SET state = 'ACCEPTED', replacement_order_id = new_id WHERE id = claim.id;
  RETURN new_id;
END $$;

-- Fails unless the installation is a sandbox, and the claim the client's.
CREATE OR REPLACE FUNCTION require_sandbox_claim(in_client_id integer, in_claim_id bigint) RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM sandbox_scenarios) THEN
    RAISE EXCEPTION 'this installation is not a sandbox' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF NOT EXISTS (SELECT FROM claims WHERE id = in_claim_id AND client_id = in_client_id) THEN
    RAISE EXCEPTION 'the client has no claim %', in_claim_id USING ERRCODE = 'insufficient_privilege';
  END IF;
END $$;

-- Decides a claim of the client as an operator would, in a sandbox. Runs as the owner of the schema, because the service decides no claim.
CREATE OR REPLACE FUNCTION sandbox_decide_claim(in_client_id integer, in_claim_id bigint, in_decision text, in_reason_code text)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM require_sandbox_claim(in_client_id, in_claim_id);
  IF in_decision = 'refund' THEN
    PERFORM accept_claim_by_refund(in_claim_id, NULL, in_reason_code, false);
  ELSE
    PERFORM reject_claim(in_claim_id);
  END IF;
END $$;

-- The same for a replacement.
CREATE OR REPLACE FUNCTION sandbox_replace_claim(
  in_client_id integer, in_claim_id bigint, in_nonce text, in_sources jsonb, in_sealed_email bytea, in_sealed_input bytea
) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM require_sandbox_claim(in_client_id, in_claim_id);
  RETURN accept_claim_by_replacement(in_claim_id, in_nonce, in_sources, in_sealed_email, in_sealed_input);
END $$;

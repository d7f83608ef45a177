-- Claims of clients about delivered goods. Each raised sentence (SQLSTATE DGREF) is for the operator.

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

-- Locks the claim. Fails unless it waits for a decision.
CREATE OR REPLACE FUNCTION lock_claim(in_claim_id bigint) RETURNS claims LANGUAGE plpgsql AS $$
DECLARE
  claim claims;
BEGIN
  SELECT * INTO claim FROM claims WHERE id = in_claim_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'There is no claim %. See them with: claims list', in_claim_id USING ERRCODE = 'DGREF';
  END IF;
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

-- Refunds the claimed unit, or an amount instead, and accepts the claim: both or neither. `decide_refund` decides the refund. If the
-- wallet is closed, the refund waits, and its credit closes the claim.
CREATE OR REPLACE FUNCTION accept_claim_by_refund(in_claim_id bigint, in_amount numeric, in_reason_code text, in_mail boolean)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  claim    claims;
  refunded integer;
  credited boolean;
BEGIN
  claim := lock_claim(in_claim_id);
  PERFORM FROM wallets WHERE id = (SELECT wallet_id FROM orders WHERE id = claim.order_id) FOR NO KEY UPDATE;
  SELECT refund_number INTO refunded
    FROM request_refund(claim.order_id, 'claim-' || claim.id, CASE WHEN in_amount IS NULL AND claim.unit IS NULL THEN 1 END,
                        CASE WHEN in_amount IS NULL THEN claim.unit END, in_amount, in_reason_code, NULL, in_mail);
  credited := carry_out_refund(claim.order_id, refunded);
  UPDATE claims SET state = 'ACCEPTED', refund_number = refunded, outcome = CASE WHEN credited THEN 'REFUNDED' END,
                    closed_at = CASE WHEN credited THEN now() END
   WHERE id = claim.id;
  RETURN refunded;
END $$;

-- Decides a claim of the client as an operator would, in a sandbox. Runs as the owner of the schema, because the service decides no claim.
CREATE OR REPLACE FUNCTION sandbox_decide_claim(in_client_id integer, in_claim_id bigint, in_decision text, in_reason_code text)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM sandbox_scenarios) THEN
    RAISE EXCEPTION 'this installation is not a sandbox' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF NOT EXISTS (SELECT FROM claims WHERE id = in_claim_id AND client_id = in_client_id) THEN
    RAISE EXCEPTION 'the client has no claim %', in_claim_id USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF in_decision = 'refund' THEN
    PERFORM accept_claim_by_refund(in_claim_id, NULL, in_reason_code, false);
  ELSE
    PERFORM reject_claim(in_claim_id);
  END IF;
END $$;

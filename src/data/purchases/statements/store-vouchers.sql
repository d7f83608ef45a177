-- Stores the units of a purchase and concludes it, as one statement: what is shown was counted, and what was counted is
-- shown. `present`: the units of the purchase that are there now. No row where the purchase has ended.
--
-- Why this shape: the purchase is locked first, so that it cannot end meanwhile. Units that are there already stay as
-- they are. Where a code or claim URL belongs to another unit, the unique indexes refuse the whole; run again with ON
-- CONFLICT DO NOTHING, the statement leaves those units out, and the caller sees by `present` which ones are missing.
-- `older`: codes held under another look-up key are left out, too. One row of arrays, because a purchase holds up to
-- 500 units, and arrays of bytes in binary form.
-- Rejected: ON CONFLICT DO NOTHING at once: it looks for each row in each unique index before it writes there (5.5 ms
-- of PostgreSQL's CPU for 500 rows where 4.5 do). Arrays as text: 6.4 ms where 5.5 do, and 0.84 of the driver where 0.48
-- do. A row of values for each unit, 1.4 times as long for 500 of them (47 ms beside 33, one connection, busy machine)
-- and another text for each number of units. A statement for each unit: 6 times as long (210 ms).
-- plan: supplier_purchases_pkey
WITH
-- include: purchases/statements/purchase-to-store.sql
, code AS (
  SELECT * FROM unnest($unit::integer[], $cardNumber::bytea[], $pinCode::bytea[], $claimUrl::bytea[],
                       $referenceNumber::bytea[], $expiresAt::timestamptz[], $codeHash::bytea[], $claimHash::bytea[])
    AS code (unit, card_number, pin_code, claim_url, reference_number, expires_at, code_hash, claim_hash)
), older AS (
  SELECT older.unit FROM unnest($olderUnit::integer[], $olderHash::bytea[]) AS older (unit, hash)
   WHERE EXISTS (SELECT FROM vouchers v WHERE v.code_hash = older.hash OR v.claim_hash = older.hash)
), there AS (
  SELECT v.unit FROM purchase JOIN vouchers v ON v.order_id = purchase.order_id
     AND v.unit BETWEEN purchase.first_unit AND purchase.first_unit + purchase.units - 1
), fresh AS (
  SELECT purchase.order_id, code.* FROM purchase, code
   WHERE code.unit BETWEEN purchase.first_unit AND purchase.first_unit + purchase.units - 1
     AND code.unit NOT IN (SELECT unit FROM there) AND code.unit NOT IN (SELECT unit FROM older)
), stored AS (
  INSERT INTO vouchers (order_id, unit, card_number, pin_code, claim_url, voucher_reference_number,
                        expires_at, code_hash, claim_hash)
  SELECT * FROM fresh
  RETURNING unit
), present AS (
  SELECT unit FROM there UNION ALL SELECT unit FROM stored
), present_units AS (
  SELECT count(*) FROM present
),
-- include: purchases/statements/record-outcome.sql
, delivered AS (
  UPDATE orders SET delivered_quantity = delivered_quantity + (SELECT count(*) FROM stored)
   WHERE id = (SELECT order_id FROM outcome) AND EXISTS (SELECT FROM stored)
)
SELECT state, (SELECT coalesce(array_agg(unit ORDER BY unit), '{}') FROM present) AS present FROM outcome

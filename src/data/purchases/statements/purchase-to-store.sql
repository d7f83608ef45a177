purchase AS (
  SELECT * FROM supplier_purchases
   WHERE reference = $reference AND state NOT IN ('DELIVERED', 'REJECTED', 'WITHDRAWN') FOR UPDATE
)

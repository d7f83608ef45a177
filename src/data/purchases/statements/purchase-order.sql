-- The order of a purchase `p` with what belongs to it.
  JOIN orders o ON o.id = p.order_id
  LEFT JOIN topup_orders t ON t.order_id = o.id
  LEFT JOIN voucher_products v ON v.id = o.product_id AND o.family = 'VOUCHER'

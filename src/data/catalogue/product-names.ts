/** SQL: the name of the product. `family` and `id`: SQL. */
export const productNameSql = (family: string, id: string) => `
  CASE ${family}
    WHEN 'VOUCHER' THEN (SELECT named.name FROM voucher_products named WHERE named.id = ${id})
    WHEN 'TOPUP' THEN (SELECT named.name FROM topup_products named WHERE named.id = ${id})
    WHEN 'ESIM' THEN (SELECT named.name FROM esim_products named WHERE named.id = ${id})
  END`;

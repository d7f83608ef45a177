/** The classes in which requests are counted. Specification, "Rate limits"; decisions, "Authentication". */
export const rateClasses = [
  'login',
  'refresh',
  'reads',
  'voucher_orders',
  'topup_orders',
  'esim_orders',
  'voucher_charges',
  'topup_charges',
  'esim_charges',
  // PATCH, webhook and wallet changes.
  'changes',
] as const;

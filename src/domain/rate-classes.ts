/** The classes in which requests are counted. docs/specification.md#rate-limits. */
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

const features = new Map<string, string>(Object.entries({ VOUCHER: 'vouchers', TOPUP: 'topups', ESIM: 'esim' }));

/** The name of a product family in the arguments of operations. Rows have the family itself. */
export function featureOf(family: string): string {
  return features.get(family) ?? family;
}

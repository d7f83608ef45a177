/** Where sealed values live: the row and field each is bound to (see `Sealer`). */

/** A field of an order, found by the order's nonce, which is known before its id is. */
export const orderField = (nonce: string, field: 'email' | 'input' | 'goods'): string =>
  `order/${nonce}/${field}`;

/** What a supplier said of a purchase, found by our reference of it. */
export const supplierWords = (reference: string): string => `purchase/${reference}/said`;

/** A field of one voucher of an order. */
export const voucherField = (orderId: number, unit: number, field: string): string =>
  `voucher/${orderId}/${unit}/${field}`;

/** A field of an order's eSIM profile. */
export const esimField = (orderId: number, field: 'iccid' | 'activation_code'): string =>
  `esim/${orderId}/${field}`;

/** The signing secret of a webhook endpoint, found by its nonce. */
export const webhookSecret = (nonce: string): string => `webhook/${nonce}/secret`;

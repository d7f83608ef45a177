/** The columns of requests about recipients. The ops CLI reads them before it calls, so this file loads no package. */
import { list, number, oneOf, orNull, text, type RowWith } from '../../domain/row-columns';

/** A request with the orders that it erases. It names orders by id and nonce, which a restored database has, too. */
export const carriedRequestColumns = {
  action: oneOf<'ERASE' | 'EXPORT'>(),
  client_id: orNull(number),
  kind: oneOf<'email' | 'phone'>(),
  /** Hexadecimal. */
  recipient_hash: text,
  requested_at: text,
  orders: list<{ id: number; nonce: string }>(),
};
export type CarriedRequest = RowWith<typeof carriedRequestColumns>;

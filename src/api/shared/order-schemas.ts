/** What orders of several families show alike, in the document. docs/specification.md#money-of-an-order. */
import { failureCodes } from '../../domain/orders/failure-codes';
import { amount, currency, flag, id, text, word, type Fields } from '../openapi/schema';

/** Of an order for which one was given. */
export const clientReference: Fields = {
  client_reference: text('The name you gave it; omitted where you gave none.', 'my-first-order'),
};

/** Of an order that debited the wallet. */
export const transactionId: Fields = {
  transaction_id: id('The transaction that debited the wallet; omitted where nothing was debited.', 5021),
};

export const orderMoney: Fields = {
  charged_amount: amount('What was debited.', 9.8),
  charged_currency: currency("The wallet's currency."),
  refunded_amount: amount('What has been credited back.', 0),
};

/** Of an order that was refunded. */
export const refundId: Fields = {
  refund_transaction_id: id('The transaction that credited it back; omitted until there is one.', 5022),
};

/** Of a failed order. */
export const failure: Fields = {
  failure_code: word('Why it failed, for programs.', failureCodes, 'INVALID_RECIPIENT'),
  failure_reason: text(
    'Why it failed, for the customer.',
    'The recipient identifier is malformed or not recognised. Check it and order again.',
  ),
  is_user_fixable: flag('Whether a corrected order can succeed.', true),
};

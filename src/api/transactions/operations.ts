/** Transactions in the document. */
import { errors } from '../../domain/errors';
import { json, page, type Operations } from '../openapi/operation';
import { amount, currency, id, model, orNull, text, time, word } from '../openapi/schema';
import { MAX_ID } from '../shared/validation';
import { transactionsQuery } from './routes';

const transaction = model('Transaction', 'One movement of money in a wallet.', {
  id: id('The transaction.', 5021),
  wallet_id: id('The wallet.', 1),
  currency_id: id("The wallet's currency.", 150),
  amount: { ...amount('What was moved, always above 0.', 10), exclusiveMinimum: 0 },
  transaction_type: word('`CREDIT` into the wallet, `DEBIT` out of it.', ['CREDIT', 'DEBIT'], 'DEBIT'),
  status: word('All of ours are `COMPLETED`.', ['PENDING', 'COMPLETED', 'FAILED'], 'COMPLETED'),
  source_currency: orNull(
    currency("The product's currency, of an order in another currency than the wallet's."),
  ),
  destination_currency: orNull(currency("The wallet's currency, of such an order.", 'EUR')),
  forex_rate: orNull(amount('The rate between them.', 0.92)),
  conversion_charges: orNull(amount("The conversion fee, in the wallet's currency.", 0.18)),
  remarks: text('What it was for.', 'Order 17: Harbour Coffee Gift Card'),
  reference_number: text('`order-<order id>` of an order, else the reference of the booking.', 'order-17'),
  created_at: time('When it was booked.'),
});

export const transactionOperations: Operations = {
  'GET /api/v1/transactions': {
    id: 'listTransactions',
    tag: 'Transactions',
    summary: 'List transactions',
    query: transactionsQuery,
    answers: { 200: page('Newest first.', transaction) },
    errors: [errors.validation('wallet_id must be a positive integer'), errors.notFound('Wallet')],
  },
  'GET /api/v1/transactions/:id': {
    id: 'getTransaction',
    tag: 'Transactions',
    summary: 'Read a transaction',
    path: { id: { ...id('The transaction.', 5021), maximum: MAX_ID } },
    answers: { 200: json('The transaction.', transaction) },
    errors: [errors.badRequest('Invalid transaction ID'), errors.notFound('Transaction')],
  },
};

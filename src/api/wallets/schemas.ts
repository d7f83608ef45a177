/** Wallets as the document has them. docs/specification.md#wallets. */
import { amount, currency, flag, id, model, orNull, time } from '../openapi/schema';

export const wallet = model('Wallet', 'What orders are paid from.', {
  id: id('The wallet.', 1),
  currency_id: id('Its currency.', 150),
  currency_code: currency('Its currency (ISO 4217).'),
  balance: amount('What it holds.', 1234.56),
  is_default: flag('Whether it pays where no wallet in the currency is there and none was named.', true),
  low_balance_threshold: orNull(
    amount('A debit that leaves less sends `wallet.low_balance`; null where none is set.', 50),
  ),
  created_at: time('When it was made.', '2026-01-01T09:00:00.000Z'),
  updated_at: time('When it changed last.'),
});

/** Every entry of the ledger has what it claims to stand for, and every order what it had to pay. */
import { money, type Scan } from './scan';

const entries: Scan = {
  subject: 'transaction',
  rows: `
    SELECT entry.id, entry.kind, entry.transaction_type AS type, entry.amount, entry.wallet_id, entry.client_id,
           entry.order_id, entry.reference_number, wallet.client_id AS holder, wallet.currency_code AS currency,
           currency.minor_unit, o.id IS NOT NULL AS has_order, o.wallet_id AS order_wallet,
           o.transaction_id AS order_names, o.total_payable
      FROM transactions entry
      JOIN wallets wallet ON wallet.id = entry.wallet_id
      JOIN currencies currency ON currency.code = wallet.currency_code
      LEFT JOIN orders o ON o.id = entry.order_id`,
  checks: {
    'entry-amount': {
      wrong: 'amount <> round(amount, minor_unit)',
      says: `format('is of %s, which has only %s decimals', ${money('amount', 'currency')}, minor_unit)`,
    },
    'entry-wallet': {
      wrong: 'client_id <> holder OR has_order AND wallet_id <> order_wallet',
      says: `format('of client %s is in wallet %s of client %s; the wallet of its order is %s',
               client_id, wallet_id, holder, order_wallet)`,
    },
    'entry-kind': {
      wrong: `
        (kind IN ('FUNDING', 'ADJUSTMENT')) <> (order_id IS NULL)
        OR type <> CASE kind WHEN 'ORDER' THEN 'DEBIT' WHEN 'ADJUSTMENT' THEN type ELSE 'CREDIT' END
        OR order_id IS NOT NULL AND reference_number <> 'order-' || order_id`,
      says: `format('is a %s of kind %s for order %s with reference %s',
               type, kind, coalesce(order_id::text, 'none'), reference_number)`,
    },
    'entry-order': {
      wrong: 'order_id IS NOT NULL AND NOT has_order',
      says: `format('stands for order %s, which is not there', order_id)`,
    },
    'debit-order': {
      wrong: `kind = 'ORDER' AND has_order AND (order_names IS DISTINCT FROM id OR amount <> total_payable)`,
      says: `format('debits %s for order %s, which names transaction %s and costs %s',
               trim_scale(amount), order_id, coalesce(order_names::text, 'none'), trim_scale(total_payable))`,
    },
  },
};

// Beyond the client's daily cap a top-up or eSIM is placed to fail: it debits nothing.
const debits: Scan = {
  subject: 'order',
  rows: `
    SELECT o.id, o.transaction_id, o.total_payable, o.deduction_currency AS currency,
           o.family <> 'VOUCHER' AND coalesce(o.failure_code = 'CLIENT_LIMIT_EXCEEDED', false) AS may_be_beyond_cap,
           entry.order_id AS entry_order, entry.kind AS entry_kind
      FROM orders o LEFT JOIN transactions entry ON entry.id = o.transaction_id`,
  checks: {
    'order-debit': {
      wrong: `
        CASE WHEN transaction_id IS NULL THEN total_payable > 0 AND NOT may_be_beyond_cap
             ELSE entry_order IS DISTINCT FROM id OR entry_kind IS DISTINCT FROM 'ORDER' END`,
      says: `format('costs %s and names transaction %s, a %s of order %s', ${money('total_payable', 'currency')},
               coalesce(transaction_id::text, 'none'), entry_kind, coalesce(entry_order::text, 'none'))`,
    },
  },
};

export const entryScans = [entries, debits];

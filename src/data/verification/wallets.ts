/** Each wallet is the sum of its entries, and the entries follow from one another without a gap. */
import { money, type Scan } from './scan';

/** What an entry changes. Only what is COMPLETED moves money. */
const change = `
  CASE WHEN status <> 'COMPLETED' THEN 0 WHEN transaction_type = 'CREDIT' THEN amount ELSE -amount END`;

const balances: Scan = {
  subject: 'wallet',
  rows: `
    SELECT wallet.id, wallet.currency_code AS currency, wallet.balance, wallet.entry_count,
           coalesce(entry.total, 0) AS total, coalesce(entry.last, 0) AS last,
           coalesce(newest.balance_after, 0) AS balance_after
      FROM wallets wallet
      LEFT JOIN (SELECT wallet_id, sum(${change}) AS total, max(sequence) AS last
                   FROM transactions GROUP BY wallet_id) entry ON entry.wallet_id = wallet.id
      LEFT JOIN transactions newest ON newest.wallet_id = wallet.id AND newest.sequence = entry.last`,
  checks: {
    'wallet-balance': {
      wrong: 'balance <> total OR balance <> balance_after',
      says: `format('holds %s, its entries add up to %s and the last one left %s',
               ${money('balance', 'currency')}, trim_scale(total), trim_scale(balance_after))`,
    },
    'wallet-entry-count': {
      wrong: 'entry_count <> last',
      says: `format('counts %s entries, the last one has number %s', entry_count, last)`,
    },
  },
};

const chain: Scan = {
  subject: 'transaction',
  rows: `
    SELECT id, wallet_id, sequence, balance_after, lag(sequence, 1, 0::bigint) OVER in_order AS before,
           lag(balance_after, 1, 0::numeric) OVER in_order + ${change} AS expected
      FROM transactions
    WINDOW in_order AS (PARTITION BY wallet_id ORDER BY sequence)`,
  checks: {
    'entry-sequence': {
      wrong: 'sequence <> before + 1',
      says: `format('has number %s in wallet %s, where the one before has %s', sequence, wallet_id, before)`,
    },
    'entry-balance-after': {
      wrong: 'balance_after <> expected',
      says: `format('leaves %s in wallet %s, after the entry before it would be %s',
               trim_scale(balance_after), wallet_id, trim_scale(expected))`,
    },
  },
};

export const walletScans = [balances, chain];

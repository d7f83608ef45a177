/**
 * Checks that each balance is the sum of the wallet's entries, which are numbered without gaps; that no debit exceeds the credit limit at
 * its number; that the order of each entry
 * exists; that each order's price was debited, and the price of undelivered units refunded once (`refunds.ts`: refunds after delivery); and that an order that was paid
 * with a voucher has exactly one voucher marked, whose worth was credited once. docs/specification.md#money,
 * docs/decisions/0005-place-an-order-with-one-statement.md.
 */
import { change, money, type Scan } from './scan';

const balances: Scan = {
  subject: 'wallet',
  rows: `
    SELECT wallet.id, wallet.currency_code AS currency, wallet.balance, wallet.entry_count,
           coalesce(entry.total, 0) AS total, coalesce(entry.last, 0) AS last,
           coalesce(newest.balance_after, 0) AS balance_after, wallet.credit_limit,
           coalesce((SELECT credit_limit FROM credit_limits WHERE wallet_id = wallet.id ORDER BY from_entry DESC, id DESC LIMIT 1), 0) AS set_limit
      FROM wallets wallet
      LEFT JOIN (SELECT wallet_id, sum(${change}) AS total, max(sequence) AS last
                   FROM transactions GROUP BY wallet_id) entry ON entry.wallet_id = wallet.id
      LEFT JOIN transactions newest ON newest.wallet_id = wallet.id AND newest.sequence = entry.last`,
  checks: {
    'wallet-balance': {
      wrong: 'balance <> total OR balance <> balance_after',
      says: `format('holds %s, its entries add up to %s and the last one left %s',
               ${money('balance')}, trim_scale(total), trim_scale(balance_after))`,
    },
    'wallet-entry-count': {
      wrong: 'entry_count <> last',
      says: `format('counts %s entries, the last one has number %s', entry_count, last)`,
    },
    'wallet-credit-limit': {
      wrong: 'credit_limit <> set_limit',
      says: `format('has the credit limit %s, its history %s', ${money('credit_limit')}, trim_scale(set_limit))`,
    },
  },
};

const chain: Scan = {
  subject: 'transaction',
  rows: `
    SELECT id, wallet_id, sequence, balance_after, created_at, lag(created_at) OVER in_order AS created_before,
           lag(sequence, 1, 0::bigint) OVER in_order AS before,
           lag(balance_after, 1, 0::numeric) OVER in_order + ${change} AS expected
      FROM transactions
    WINDOW in_order AS (PARTITION BY wallet_id ORDER BY sequence)`,
  checks: {
    'entry-sequence': {
      wrong: 'sequence <> before + 1',
      says: `format('has number %s in wallet %s, where the one before has %s', sequence, wallet_id, before)`,
    },
    'entry-time': {
      wrong: 'coalesce(created_at < created_before, false)',
      says: `format('is number %s in wallet %s and of %s, but the one before is of %s', sequence, wallet_id,
               created_at, created_before)`,
    },
    'entry-balance-after': {
      wrong: 'balance_after <> expected',
      says: `format('leaves %s in wallet %s, after the entry before it would be %s',
               trim_scale(balance_after), wallet_id, trim_scale(expected))`,
    },
  },
};

const entries: Scan = {
  subject: 'transaction',
  rows: `
    SELECT entry.id, entry.kind, entry.transaction_type AS type, entry.amount, entry.wallet_id, entry.client_id,
           entry.order_id, entry.reference_number, wallet.client_id AS holder, wallet.currency_code AS currency,
           currency.minor_unit, o.id IS NOT NULL AS has_order, o.wallet_id AS order_wallet,
           o.transaction_id AS order_names, o.total_payable, entry.forex_rate, o.forex_rate AS order_rate,
           (entry.source_currency, entry.destination_currency) IS DISTINCT FROM
             (CASE WHEN entry.forex_rate IS NOT NULL THEN o.base_currency END,
              CASE WHEN entry.forex_rate IS NOT NULL THEN o.deduction_currency END) AS names_others
      FROM transactions entry
      JOIN wallets wallet ON wallet.id = entry.wallet_id
      JOIN currencies currency ON currency.code = wallet.currency_code
      LEFT JOIN orders o ON o.id = entry.order_id`,
  checks: {
    'entry-amount': {
      wrong: 'amount <> round(amount, minor_unit)',
      says: `format('is of %s, which has only %s decimals', ${money('amount')}, minor_unit)`,
    },
    'entry-wallet': {
      wrong: 'client_id <> holder OR has_order AND wallet_id <> order_wallet',
      says: `format('of client %s is in wallet %s of client %s; the wallet of its order is %s',
               client_id, wallet_id, holder, order_wallet)`,
    },
    'entry-kind': {
      wrong: `
        (kind IN ('FUNDING', 'ADJUSTMENT', 'CONVERSION')) <> (order_id IS NULL)
        OR type <> CASE WHEN kind = 'ORDER' THEN 'DEBIT' WHEN kind IN ('ADJUSTMENT', 'CONVERSION') THEN type ELSE 'CREDIT' END
        OR (kind = 'CONVERSION') <> (reference_number ~ '^conversion-[1-9][0-9]*$')
        OR order_id IS NOT NULL AND reference_number !~
             ('^order-' || order_id || CASE kind WHEN 'REFUND_AFTER' THEN '-r[1-9][0-9]*' ELSE '' END || '$')`,
      says: `format('is a %s of kind %s for order %s with reference %s',
               type, kind, coalesce(order_id::text, 'none'), reference_number)`,
    },
    'entry-order': {
      wrong: 'order_id IS NOT NULL AND NOT has_order',
      says: `format('stands for order %s, which does not exist', order_id)`,
    },
    'entry-rate': {
      wrong: `has_order AND kind IN ('ORDER', 'REFUND', 'REFUND_AFTER') AND (forex_rate IS DISTINCT FROM order_rate OR names_others)`,
      says: `format('has the rate %s, or other currencies than its order %s, whose rate is %s', coalesce(forex_rate::text, 'none'),
               order_id, coalesce(order_rate::text, 'none'))`,
    },
    'debit-order': {
      wrong: `kind = 'ORDER' AND has_order AND (order_names IS DISTINCT FROM id OR amount <> total_payable)`,
      says: `format('debits %s for order %s, which names transaction %s and costs %s',
               trim_scale(amount), order_id, coalesce(order_names::text, 'none'), trim_scale(total_payable))`,
    },
  },
};

// The price by the formula of docs/specification.md#money. The debit shows the fee of a conversion; an order without a debit has none. A replacement costs nothing.
const price = `
  CASE WHEN o.replaces_order_id IS NOT NULL THEN 0
       WHEN o.base_currency = o.deduction_currency THEN o.amount - o.discount
       ELSE round((o.amount - o.discount) * o.forex_rate, currency.minor_unit) + coalesce(entry.conversion_charges, 0) END`;

// Only operators and the funding of a sandbox write these entries, each with an audit entry, which is kept for a set time. A day
// less, because both are deleted and verified at different times.
const operators: Scan = {
  subject: 'transaction',
  rows: `
    SELECT entry.id, entry.kind, entry.reference_number, audited.id IS NOT NULL AS is_audited
      FROM transactions entry
      LEFT JOIN (SELECT coalesce(after ->> 'transaction_id', after ->> 'id') AS id FROM audit_entries
                  WHERE action IN ('transaction.created', 'sandbox_wallet.funded')) audited ON audited.id = entry.id::text
     WHERE entry.kind IN ('FUNDING', 'ADJUSTMENT') AND entry.order_id IS NULL
       AND entry.created_at > clock_timestamp() - audit_retention() + interval '1 day'`,
  checks: {
    'entry-audit': {
      wrong: 'NOT is_audited',
      says: `format('is a %s with reference %s, and no audit entry says who posted it', kind, reference_number)`,
    },
  },
};

// A top-up or eSIM order beyond the client's daily cap is placed as a failed order and debits nothing.
const debits: Scan = {
  subject: 'order',
  rows: `
    SELECT o.id, o.transaction_id, o.total_payable, o.deduction_currency AS currency,
           o.family <> 'VOUCHER' AND coalesce(o.failure_code = 'CLIENT_LIMIT_EXCEEDED', false) AS may_be_beyond_cap,
           entry.order_id AS entry_order, entry.kind AS entry_kind,
           o.client_id, o.wallet_id, wallet.client_id AS holder, wallet.currency_code AS wallet_currency,
           o.unit_amount, o.quantity, o.amount, o.discount, o.base_currency, o.forex_rate, ${price} AS price,
           o.amount <> round(o.unit_amount * o.quantity, base.minor_unit) OR o.discount > o.amount
             OR o.discount <> round(o.discount, base.minor_unit) AS has_wrong_total
      FROM orders o
      JOIN wallets wallet ON wallet.id = o.wallet_id
      JOIN currencies base ON base.code = o.base_currency
      JOIN currencies currency ON currency.code = o.deduction_currency
      LEFT JOIN transactions entry ON entry.id = o.transaction_id`,
  checks: {
    'order-wallet': {
      wrong: 'currency <> wallet_currency OR client_id <> holder',
      says: `format('of client %s is paid in %s from wallet %s in %s of client %s', client_id, currency, wallet_id,
               wallet_currency, holder)`,
    },
    'order-price': {
      wrong: 'has_wrong_total OR total_payable IS DISTINCT FROM price',
      says: `format('of %s units at %s %s has the amount %s, the discount %s and the rate %s: it costs %s, not %s', quantity,
               trim_scale(unit_amount), base_currency, trim_scale(amount), trim_scale(discount),
               coalesce(forex_rate::text, 'none'), coalesce(trim_scale(price)::text, 'nothing known'), ${money('total_payable')})`,
    },
    'order-rate': {
      wrong: 'base_currency = currency AND forex_rate IS NOT NULL',
      says: `format('has the rate %s, although product and wallet have the currency %s', forex_rate, currency)`,
    },
    'order-debit': {
      wrong: `
        CASE WHEN transaction_id IS NULL THEN total_payable > 0 AND NOT may_be_beyond_cap
             ELSE entry_order IS DISTINCT FROM id OR entry_kind IS DISTINCT FROM 'ORDER' END`,
      says: `format('costs %s and names transaction %s, a %s of order %s', ${money('total_payable')},
               coalesce(transaction_id::text, 'none'), entry_kind, coalesce(entry_order::text, 'none'))`,
    },
  },
};

// The due refund: the price less the delivered share, which is rounded half-up. The check does not call the SQL function that
// computes refunds, so that an error in that function is found. Quantities are at most 5,000, so a quotient with 20 decimals is
// always on the right side of a half.
const due = `
  CASE WHEN o.status IN ('FAILED', 'CANCELLED') AND o.transaction_id IS NOT NULL
       THEN o.total_payable
            - round(round(o.total_payable * o.delivered_quantity, 20) / o.quantity, currency.minor_unit)
       ELSE 0 END`;

const refunds: Scan = {
  subject: 'order',
  rows: `
    SELECT o.id, o.status, o.delivered_quantity AS delivered, o.quantity, o.deduction_currency AS currency,
           ${due} AS due, coalesce(refund.amount, 0) AS refunded, listed.order_id IS NOT NULL AS is_listed
      FROM orders o
      JOIN currencies currency ON currency.code = o.deduction_currency
      LEFT JOIN (SELECT order_id, sum(amount) AS amount FROM transactions
                  WHERE kind = 'REFUND' AND order_id IS NOT NULL GROUP BY order_id) refund ON refund.order_id = o.id
      LEFT JOIN (SELECT DISTINCT order_id FROM attention
                  WHERE kind = 'REFUND_DUE' AND cleared_at IS NULL) listed ON listed.order_id = o.id`,
  checks: {
    'refund-amount': {
      wrong: 'refunded <> due AND NOT (refunded = 0 AND is_listed)',
      says: `format('is %s with %s of %s delivered: %s is due back, %s was credited', status, delivered, quantity,
               ${money('due')}, trim_scale(refunded))`,
    },
    'refund-listed': {
      wrong: 'is_listed AND (due = 0 OR refunded > 0)',
      says: `format('is on the attention list as REFUND_DUE, but %s is due back and %s was credited',
               ${money('due')}, trim_scale(refunded))`,
    },
  },
};

const redemptions: Scan = {
  subject: 'order',
  rows: `
    SELECT coalesce(credit.order_id, voucher.order_id) AS id, coalesce(credit.amount, 0) AS credited,
           coalesce(credit.entries, 0) AS entries, coalesce(voucher.worth, 0) AS worth,
           coalesce(voucher.marked, 0) AS marked, o.total_payable, o.deduction_currency AS currency,
           coalesce(voucher.was_expired, false) AS was_expired, coalesce(voucher.was_discounted, false) AS was_discounted,
           coalesce(o.client_id <> voucher.client_id OR o.deduction_currency <> voucher.currency, false) AS is_foreign
      FROM (SELECT order_id, sum(amount) AS amount, count(*) AS entries
              FROM transactions WHERE kind = 'REDEMPTION' AND order_id IS NOT NULL GROUP BY order_id) credit
      FULL JOIN (
        SELECT redeemed_by_order_id AS order_id, count(*) AS marked, sum(redemption_value(sold)) AS worth,
               min(sold.client_id) AS client_id, min(sold.base_currency) AS currency,
               bool_or(expires_at <= redeemed_at) AS was_expired, bool_or(sold.discount > 0) AS was_discounted
          FROM vouchers JOIN orders sold ON sold.id = order_id
         WHERE redeemed_by_order_id IS NOT NULL GROUP BY redeemed_by_order_id
      ) voucher ON voucher.order_id = credit.order_id
      LEFT JOIN orders o ON o.id = coalesce(credit.order_id, voucher.order_id)`,
  checks: {
    'redemption-credit': {
      wrong: 'entries <> 1 OR marked <> 1 OR credited <> worth',
      says: `format('%s vouchers worth %s are marked as redeemed for it, %s credits of %s were posted',
               marked, trim_scale(worth), entries, trim_scale(credited))`,
    },
    'redemption-voucher': {
      wrong: 'marked > 0 AND (was_expired OR was_discounted OR is_foreign OR coalesce(worth < total_payable, false))',
      says: `format('costs %s and was paid with a voucher worth %s that %s', ${money('total_payable')},
               trim_scale(worth), CASE WHEN was_expired THEN 'had expired' WHEN was_discounted THEN 'was sold at a discount'
                 WHEN is_foreign THEN 'is of another client or currency' ELSE 'is not enough' END)`,
    },
  },
};

// A limit may be lowered below a debt: only the limit at the number of the debit counts.
const credit: Scan = {
  subject: 'transaction',
  rows: `
    SELECT entry.id, entry.wallet_id, entry.sequence, entry.balance_after, coalesce(stood.credit_limit, 0) AS credit_limit
      FROM transactions entry
      LEFT JOIN LATERAL (
        SELECT credit_limit FROM credit_limits
         WHERE wallet_id = entry.wallet_id AND from_entry <= entry.sequence ORDER BY from_entry DESC, id DESC LIMIT 1) stood ON true
     WHERE entry.transaction_type = 'DEBIT' AND entry.balance_after < 0
       AND NOT EXISTS (SELECT FROM transactions redeemed
                        WHERE redeemed.order_id = entry.order_id AND redeemed.kind = 'REDEMPTION' AND redeemed.amount >= entry.amount)`,
  checks: {
    'entry-credit-limit': {
      wrong: 'balance_after < -credit_limit',
      says: `format('is number %s in wallet %s and leaves %s; the credit limit was %s', sequence, wallet_id,
               trim_scale(balance_after), trim_scale(credit_limit))`,
    },
  },
};

export const moneyScans = [balances, chain, credit, entries, operators, debits, refunds, redemptions];

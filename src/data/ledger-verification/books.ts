/**
 * Checks that the closed months are whole, and that their balances are those of the ledger: each month begins as the one before ended,
 * and changes by its entries. docs/decisions/0092-close-months-from-sums.md.
 */
import { change, money, type Scan } from './scan';

const months: Scan = {
  subject: 'month',
  rows: `
    SELECT to_char(month, 'YYYY-MM') AS id, lines, (SELECT count(*) FROM book_lines line WHERE line.month = closed.month) AS stored
      FROM book_months closed`,
  checks: {
    'book-lines': { wrong: 'lines <> stored', says: `format('was closed with %s lines and has %s', lines, stored)` },
  },
};

const openings: Scan = {
  subject: 'book line',
  rows: `
    SELECT to_char(month, 'YYYY-MM') || '/' || line AS id, kind, currency, opening,
           lag(closing, 1, 0::numeric) OVER (PARTITION BY client_id, currency, kind, family ORDER BY month) AS before,
           month = (SELECT min(month) FROM book_months) AS is_first
      FROM book_lines WHERE closing IS NOT NULL`,
  checks: {
    'book-opening': {
      wrong: 'opening <> before AND NOT is_first',
      says: `format('opens %s with %s, where it closed before with %s', kind, ${money('opening')}, ${money('before')})`,
    },
  },
};

// What was posted before the first month is one sum, which that month has to open with.
const balances: Scan = {
  subject: 'balance of',
  rows: `
    WITH books AS (SELECT min(month) AS first, max(month) AS last FROM book_months),
         booked AS (
           SELECT month, client_id, currency, sign * opening AS opening, sign * closing AS closing
             FROM book_lines JOIN (VALUES ('CREDIT_BALANCE', 1), ('DEBT', -1)) signed (kind, sign) USING (kind)),
         posted AS (
           SELECT date_trunc('month', created_at AT TIME ZONE 'UTC')::date AS month, wallet_id,
                  ${change} AS change
             FROM transactions),
         moved AS (
           SELECT month, client_id, currency, 0 AS posted, closing - opening AS booked FROM booked
           UNION ALL
           SELECT first - 1, client_id, currency, 0, opening FROM booked JOIN books ON month = first
           UNION ALL
           SELECT greatest(month, first - 1), wallet.client_id, wallet.currency_code, change, 0
             FROM posted JOIN books ON month <= last JOIN wallets wallet ON wallet.id = wallet_id)
    SELECT concat_ws('/', to_char(month, 'YYYY-MM'), client_id, currency) AS id, currency, sum(posted) AS posted, sum(booked) AS booked
      FROM moved GROUP BY month, client_id, currency`,
  checks: {
    'book-balance': {
      wrong: 'posted <> booked',
      says: `format('moved %s in the books, and %s by its entries', ${money('booked')}, ${money('posted')})`,
    },
  },
};

export const bookScans = [months, openings, balances];

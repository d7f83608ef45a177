/**
 * Checks that each conversion has exactly its debit and its credit, in two wallets of its client, at amounts that its rate gives; and
 * that each entry of this kind belongs to a conversion. docs/specification.md#conversions.
 */
import type { Scan } from './scan';

const pairs: Scan = {
  subject: 'conversion',
  rows: `
    SELECT made.id, made.amount, made.converted_amount, made.forex_rate, made.conversion_charges, currency.minor_unit,
           (payer.client_id, payee.client_id) IS DISTINCT FROM (made.client_id, made.client_id) AS is_of_others,
           (debit.kind, debit.transaction_type, debit.amount, debit.forex_rate, debit.conversion_charges)
             IS DISTINCT FROM ('CONVERSION', 'DEBIT', made.amount, made.forex_rate, made.conversion_charges)
           OR debit.balance_after < 0 AS has_other_debit,
           (credit.kind, credit.transaction_type, credit.amount, credit.forex_rate, credit.conversion_charges)
             IS DISTINCT FROM ('CONVERSION', 'CREDIT', made.converted_amount, made.forex_rate, made.conversion_charges) AS has_other_credit
      FROM conversions made
      JOIN wallets payer ON payer.id = made.from_wallet_id
      JOIN wallets payee ON payee.id = made.to_wallet_id
      JOIN currencies currency ON currency.code = payee.currency_code
      LEFT JOIN transactions debit ON debit.wallet_id = payer.id AND debit.reference_number = 'conversion-' || made.id AND debit.order_id IS NULL
      LEFT JOIN transactions credit ON credit.wallet_id = payee.id AND credit.reference_number = 'conversion-' || made.id AND credit.order_id IS NULL`,
  checks: {
    'conversion-pair': {
      wrong: 'is_of_others OR has_other_debit OR has_other_credit',
      says: `format('of %s to %s is no debit and credit of these amounts in two wallets of its client', trim_scale(amount), trim_scale(converted_amount))`,
    },
    'conversion-amount': {
      wrong: 'converted_amount <> trunc(amount * forex_rate - conversion_charges, minor_unit)',
      says: `format('of %s at the rate %s with charges of %s credits %s', trim_scale(amount), forex_rate, trim_scale(conversion_charges),
               trim_scale(converted_amount))`,
    },
  },
};

const entries: Scan = {
  subject: 'transaction',
  rows: `
    SELECT entry.id, entry.reference_number, made.id IS NOT NULL AS is_half
      FROM transactions entry
      LEFT JOIN conversions made ON 'conversion-' || made.id = entry.reference_number
                                AND entry.wallet_id IN (made.from_wallet_id, made.to_wallet_id)
     WHERE entry.kind = 'CONVERSION'`,
  checks: {
    'entry-conversion': {
      wrong: 'NOT is_half',
      says: `format('with reference %s belongs to no conversion', reference_number)`,
    },
  },
};

export const conversionScans = [pairs, entries];

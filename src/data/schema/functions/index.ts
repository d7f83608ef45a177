/**
 * The functions of the database: rules that must hold inside a statement. After the migrations, which create only placeholders of
 * trigger functions, `migrate` replaces the functions whose files have changed. Until its last process has ended, the previous
 * release calls them, too. So a function keeps its name, parameters, columns and behaviour: docs/developers/migrations.md.
 */

/** The files in this folder. Each follows the files whose functions it calls. */
export const functionFiles = [
  'clocks',
  'ledger',
  'references',
  'funding',
  'bank-entries',
  'refunds',
  'margins',
  'order-sums',
  'daily-cap',
  'spend-rules',
  'redemption',
  'order-counts',
  'pricing-version',
  'catalogue-versions',
  'prices-per-product',
  'rate-circles',
  'dated-rates',
  'conversions',
  'order-events',
  'recharges',
  'claims',
  'event-fan-out',
  'held-product',
  'purchase-reference',
  'erasures',
  'sources',
  'stopped-sales',
  'revocations',
  'audit',
  'guarded-values',
  'counted-operations',
  'invitations',
  'members',
  'api-keys',
  'sign-in-locks',
  'sign-in-events',
  'access-mails',
  'attention',
  'data-keys',
  'change-feed',
] as const;

/**
 * The functions of the database: rules that must hold inside a statement. Each file is whatever its functions
 * are today; `migrate` brings the database in line. A function that older migrations create too is replaced.
 *
 * A function whose parameters or result change cannot be replaced: a numbered migration drops the one before
 * (`DROP FUNCTION name(types)`), and the file creates the new one. Migrations run first, so none of them may
 * need a function of a later release.
 */

/** The files beside this one, each after those whose functions its own call. */
export const functionFiles = [
  'clocks',
  'ledger',
  'refunds',
  'daily-cap',
  'redemption',
  'order-counts',
  'pricing-version',
  'order-events',
  'event-fan-out',
  'held-product',
  'sessions',
  'audit',
  'data-keys',
  'change-feed',
] as const;

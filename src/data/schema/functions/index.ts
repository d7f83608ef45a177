/**
 * The functions of the database: rules that must hold inside a statement. Each file is whatever its functions
 * are today; `migrate` brings the database in line. Migrations create only the functions that triggers call, without
 * their bodies (`triggerFunctions`).
 *
 * The release before calls them too until its last process has ended, so a function keeps its name, its parameters and
 * its columns, and still does what that release wants of it. One that must take or give something else gets another
 * name, and stands beside the one before until a contract drops that: docs/developers/migrations.md. Migrations run
 * first, so none of them may need a function of a later release.
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

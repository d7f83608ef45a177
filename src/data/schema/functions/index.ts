/**
 * The functions of the database: rules that must hold inside a statement. Each file has the functions of this release, and
 * `migrate` replaces those in the database. Migrations create only placeholders of trigger functions (`triggerFunctions`).
 *
 * The previous release also calls them until its last process has ended. So a function keeps its name, parameters, columns
 * and behaviour. A changed one gets another name and exists beside the earlier one until a contract step drops the earlier
 * one: docs/developers/migrations.md. Migrations run first, so none of them may need a function of a later release.
 */

/** The files in this folder. Each follows the files whose functions it calls. */
export const functionFiles = [
  'clocks',
  'ledger',
  'refunds',
  'margins',
  'daily-cap',
  'redemption',
  'order-counts',
  'pricing-version',
  'order-events',
  'event-fan-out',
  'held-product',
  'purchase-reference',
  'sources',
  'revocations',
  'audit',
  'data-keys',
  'change-feed',
] as const;

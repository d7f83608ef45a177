import type { OfIndexes } from './migration';

/** Searches of operators that would otherwise read every order of a client, or every entry of the audit. */
export const indexesOfSearches: OfIndexes = {
  name: '0055-indexes-of-searches',
  indexes: [
    { name: 'orders_of_client', on: 'orders (client_id, status, id DESC)' },
    { name: 'audit_entries_by_command', on: 'audit_entries (command, at, id) WHERE command IS NOT NULL' },
    { name: 'audit_entries_by_kind', on: `audit_entries (split_part(object, '/', 1), at, id)` },
    // The posted entry of the ledger, which the ledger verification looks up.
    {
      name: 'audit_entries_of_posting',
      on: `audit_entries (coalesce(after ->> 'transaction_id', after ->> 'id'))
        WHERE action IN ('transaction.created', 'sandbox_wallet.funded')`,
    },
  ],
};

import type { OfIndexes } from './migration';

/** SQL: the words of a name. docs/decisions/0084-search-by-beginnings-with-indexes.md. */
const wordsOf = (column: string) => `to_tsvector('simple', translate(${column}, '-_./@&+:', '        '))`;

/** The indexes by which `search` finds values by their beginning, in any case. */
export const beginnings: OfIndexes = {
  name: '0023-beginnings',
  indexes: [
    {
      name: 'orders_by_reference',
      on: 'orders (lower(client_reference) text_pattern_ops, id DESC) WHERE client_reference IS NOT NULL',
    },
    { name: 'members_by_beginning', on: 'members (email text_pattern_ops) WHERE removed_at IS NULL' },
    { name: 'clients_by_word', on: `clients USING gin (${wordsOf('name')})` },
    { name: 'voucher_products_by_word', on: `voucher_products USING gin (${wordsOf('name')})` },
    { name: 'topup_products_by_word', on: `topup_products USING gin (${wordsOf('name')})` },
    { name: 'esim_products_by_word', on: `esim_products USING gin (${wordsOf('name')})` },
  ],
};

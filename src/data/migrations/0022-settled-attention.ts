import type { Migration } from './migration';

/** What a person wrote who took an entry off the list that nothing else takes off. */
export const settledAttention: Migration = {
  name: '0022-settled-attention',
  sql: 'ALTER TABLE attention ADD COLUMN settlement text;',
};

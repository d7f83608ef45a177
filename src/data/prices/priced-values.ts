/** The values that operators set by themselves for prices: exchange rates, conversion fees, discounts of clients. */
import type { Family } from '../../domain/orders/families';
import { firstRow, rows, type Database } from '../database/database';

/** Where each value stands. Names of tables and columns are code, never input. */
const places = {
  rate: { table: 'forex_rates', column: 'rate', others: ', updated_at = now()' },
  fee: { table: 'conversion_fees', column: 'fee_percent', others: '' },
  discount: { table: 'client_discounts', column: 'discount_percent', others: '' },
} as const;

interface Pair {
  source_currency: string;
  destination_currency: string;
}

/** A value by what it is and by the key of its row. */
export type PricedValue =
  | { kind: 'rate'; key: Readonly<Pair> }
  | { kind: 'fee'; key: Readonly<Pair & { family: Family }> }
  | { kind: 'discount'; key: Readonly<{ client_id: number; family: Family; product_id: number }> };

/** The value as a decimal without trailing zeros; null if it is not set. */
export async function readPricedValue(
  database: Database,
  { kind, key }: PricedValue,
): Promise<string | null> {
  const { table, column } = places[kind];
  const found = await firstRow<{ value: string }>(
    database,
    `SELECT trim_scale(${column})::text AS value FROM ${table} WHERE ${condition(key)}`,
    key,
  );
  return found?.value ?? null;
}

/**
 * Sets the value, or takes it away where `after` is null, if it still is what the operator was shown. Throws a sentence
 * if somebody else has changed it since.
 */
export async function changePricedValue(
  database: Database,
  { kind, key }: PricedValue,
  { before, after }: { before: string | null; after: string | null },
): Promise<void> {
  if (before === null && after === null) return;
  const { table, column, others } = places[kind];
  const columns = Object.keys(key);
  const insert = `
    INSERT INTO ${table} (${[...columns, column].join(', ')}) VALUES (${columns.map((name) => `$${name}`).join(', ')}, $after)
    ON CONFLICT DO NOTHING`;
  const update = `UPDATE ${table} SET ${column} = $after${others} WHERE ${condition(key)} AND ${column} = $before`;
  const remove = `DELETE FROM ${table} WHERE ${condition(key)} AND ${column} = $before`;
  const statement = before === null ? insert : after === null ? remove : update;
  const binds = { ...key, ...(before !== null && { before }), ...(after !== null && { after }) };
  const changed = await rows(database, `${statement} RETURNING ${column}`, binds);
  if (changed.length === 0)
    throw new Error('Somebody else has just changed this value. Run the command again.');
}

function condition(key: object): string {
  return Object.keys(key)
    .map((name) => `${name} = $${name}`)
    .join(' AND ');
}

import { firstRow, type Database } from '../database/database';

/** Counts the committed changes of what prices are made of (triggers in the migrations raise it). */
export async function pricingVersion(database: Database): Promise<number> {
  const row = await firstRow<{ version: number }>(database, 'SELECT version FROM pricing_version');
  if (!row) throw new Error('Table pricing_version has lost its row');
  return row.version;
}

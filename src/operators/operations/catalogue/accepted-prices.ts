/** What an operator who accepts prices gets: the changes, and the margins that result. */
import type { NamedProduct } from '../../../data/catalogue/offer-links';
import type { Database } from '../../../data/database/database';
import { marginsText } from '../prices/resulting-margins';
import { table } from '../text';

/** The margins that result, one text for each product. */
export async function marginsOf(database: Database, products: readonly NamedProduct[]): Promise<string[]> {
  const texts: string[] = [];
  for (const product of products) texts.push(await marginsText(database, { ...product, clientId: null }));
  return texts;
}

/** The changes as a table, with the margins below. */
export function acceptedText({ accepted, margins }: { accepted: readonly object[]; margins: string[] }): string {
  return [table(accepted), ...margins].join('\n');
}

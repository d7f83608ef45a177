/** The references of funding requests in the texts of entries. */
import type { Database } from '../../../data/database/database';
import { fundingRequestsWith } from '../../../data/funding/funding-requests';
import { creditorReferencesIn, misreadReferencesIn } from '../../../domain/funding/creditor-references';

/** The texts of an entry that can hold a reference. */
export interface ReferringTexts {
  text: string;
  endToEndId: string;
  bankReference: string;
}

/**
 * The references of each entry, in their sequence: the valid ones. Without one, those that the entry holds if O, I and L are 0, 1 and 1,
 * and that a funding request has.
 */
export async function referencesOf(database: Database, entries: readonly ReferringTexts[]): Promise<string[][]> {
  const found = entries.map((entry) => inTexts(entry, creditorReferencesIn));
  const misread = entries.map((entry, index) =>
    (found[index] ?? []).length > 0 ? [] : inTexts(entry, misreadReferencesIn),
  );
  const candidates = [...new Set(misread.flat())];
  if (candidates.length === 0) return found;
  const requests = await fundingRequestsWith(database, candidates);
  const known = new Set(requests.map(({ reference }) => reference));
  return found.map((valid, index) =>
    valid.length > 0 ? valid : (misread[index] ?? []).filter((one) => known.has(one)),
  );
}

function inTexts({ text, endToEndId, bankReference }: ReferringTexts, find: (text: string) => string[]) {
  return [...new Set([text, endToEndId, bankReference].flatMap(find))];
}

/**
 * References of bank transfers (ISO 11649): `RF`, two check digits and, in ours, twelve letters or digits.
 * Rule: which text of a payer counts as a reference of a funding request
 */
import { withoutInvisible } from '../operators/reserved-references';

/** The remainder of which ISO 7064 (MOD 97-10) demands 1: the prefix counts behind the body, and letters count from 10. */
function remainder(body: string, prefix: string): number {
  const digits = [...body, ...prefix].map((one) => parseInt(one, 36)).join('');
  return Number(BigInt(digits) % 97n);
}

/** The reference with the body, which is 12 digits or capital letters. */
export function creditorReference(body: string): string {
  const check = 98 - remainder(body, 'RF00');
  return `RF${String(check).padStart(2, '0')}${body}`;
}

/**
 * Every valid reference in a text of a bank or a person, once each, as `creditorReference` writes it. Blanks, line breaks, hyphens,
 * invisible characters, width and case do not matter, and other characters may stand around it. A reference with a wrong check digit is
 * none.
 */
export function creditorReferencesIn(text: string): string[] {
  return referencesInCompact(compactText(text));
}

/**
 * Every valid reference that the text holds if its letters O, I and L are the digits that people mistake for them. None if it holds a
 * valid one as it is written. Such a reading means something only if a request has the reference.
 */
export function misreadReferencesIn(text: string): string[] {
  const compact = compactText(text);
  if (referencesInCompact(compact).length > 0) return [];
  return referencesInCompact(compact.replaceAll('O', '0').replace(/[IL]/g, '1'));
}

function compactText(text: string): string {
  return withoutInvisible(text)
    .replace(/[\s\p{Dash_Punctuation}]/gu, '')
    .toUpperCase();
}

function referencesInCompact(compact: string): string[] {
  // Each place, because one match may begin inside another.
  const candidates = [...compact.matchAll(/(?=(RF[0-9]{2}[0-9A-Z]{12}))/g)].map(([, found = '']) => found);
  return [...new Set(candidates)].filter((one) => remainder(one.slice(4), one.slice(0, 4)) === 1);
}

/** References of bank transfers (ISO 11649): `RF`, two check digits and, in ours, twelve letters or digits. */
import { withoutInvisible } from '../operators/operator-references';

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
  const compact = withoutInvisible(text)
    .replace(/[\s\p{Dash_Punctuation}]/gu, '')
    .toUpperCase();
  // Each place, because one match may begin inside another.
  const candidates = [...compact.matchAll(/(?=(RF[0-9]{2}[0-9A-Z]{12}))/g)].map(([, found = '']) => found);
  return [...new Set(candidates)].filter((one) => remainder(one.slice(4), one.slice(0, 4)) === 1);
}

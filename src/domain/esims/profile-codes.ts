/**
 * The codes of an eSIM profile: its ICCID and its activation code. docs/specification.md#usable-codes.
 * Rule: what is an ICCID and an activation code
 */

/** Without the blanks and dashes between groups, and without fillers: a SIM stores two digits in a byte, and fills the last one with `F`. */
export function normalIccid(text: string): string {
  return text.replace(/[\s\p{Pd}]/gu, '').replace(/F+$/i, '');
}

/** As `normalIccid`, for an ICCID that may be missing. */
export function shownIccid<Missing extends null | undefined>(text: string | Missing): string | Missing {
  return typeof text === 'string' ? normalIccid(text) : text;
}

/** 19 or 20 digits (ITU-T E.118); 18 only of a test profile. */
export function isIccid(text: string, { isTest = false }: { isTest?: boolean | undefined } = {}): boolean {
  return isTest ? /^\d{18,20}$/.test(text) : /^\d{19,20}$/.test(text);
}

/** The Luhn check (ITU-T E.118): from the right, every second digit counts double. Issuers do not all keep it. */
export function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** What an activation code tells a device (GSMA SGP.22, section 4.1). */
interface LpaString {
  address: string;
  matchingId: string;
  needsConfirmation: boolean;
}

/** The parts: `LPA:`, the version, the server, the matching id, its OID, and `1` if the profile needs a confirmation code. */
const lpa = /^(?:LPA:)?1\$([a-z0-9-]+(?:\.[a-z0-9-]+)+)\$([a-z0-9._-]+)(?:\$(?:\d+(?:\.\d+)*)?(?:\$([01]?))?)?$/i;

/** Undefined for text that is no activation code. */
export function readLpaString(text: string): LpaString | undefined {
  const [, address, matchingId, confirmation] = lpa.exec(text) ?? [];
  if (address === undefined || matchingId === undefined) return undefined;
  return { address, matchingId, needsConfirmation: confirmation === '1' };
}

/** `LPA:1$<address>$<matching id>`, the only form that clients see. Text in which these parts cannot be read stays as it is. */
export function normalLpaString(text: string): string {
  const read = readLpaString(text.trim());
  return read && !read.needsConfirmation ? `LPA:1$${read.address}$${read.matchingId}` : text.trim();
}

/**
 * Reads phone numbers that people typed, pasted or exported. docs/specification.md#input-field.
 * Rule: what is a phone number, and of which country
 */
import { parsePhoneNumberFromString, type NumberType, type PhoneNumber } from 'libphonenumber-js/max';

/** Invisible characters, such as the direction marks that phones add to a copied number. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** The text as a person sees it. */
export function visibleText(text: string): string {
  return text.replace(invisible, '');
}

/** White space, brackets, full stops and dashes of every kind. */
const separators = /[\s().\p{Pd}]/gu;

/** A spreadsheet appends these characters to a number that it reads as a decimal. The zeros are no digits of the number. */
const decimalEnd = /\.0+\s*$/;

/** `+`, `00` or nothing, then the country code, which never begins with 0 (E.164). */
const international = /^(?:\+|00)?([1-9]\d{3,14})$/;

/**
 * The number of an international phone number; its E.164 form is the `number` of the result. Orders, lookups and searches all read
 * numbers here, so a number that one of them finds is the number to which another one delivers. Removes a trunk prefix (`+44 (0)7911`,
 * `+4407911`). Accepts a number of the right length in a range that is not known, because ranges are added every month. Undefined for
 * other text, an unknown country code, and a length that no number of the country has.
 */
export function readPhoneNumber(text: string): PhoneNumber | undefined {
  const visible = visibleText(text);
  if (decimalEnd.test(visible)) return undefined;
  // In some countries, such as Italy, the zero belongs to some numbers. The bracket does not say which, so ranges decide.
  const readings = [visible.replace(/\(0\)/, ''), visible].map(read);
  return readings.find((number) => number?.isValid()) ?? readings.find((number) => number !== undefined);
}

function read(text: string): PhoneNumber | undefined {
  const digits = international.exec(text.replace(separators, ''))?.[1];
  return digits === undefined ? undefined : normal(`+${digits}`);
}

/** The possible number without a trunk prefix. The library removes one zero at a time. */
function normal(text: string): PhoneNumber | undefined {
  const number = parsePhoneNumberFromString(text);
  if (!number?.isPossible()) return undefined;
  return number.number === text ? number : normal(number.number);
}

const mobileTypes: readonly NumberType[] = ['MOBILE', 'FIXED_LINE_OR_MOBILE'];

/** Ascension and Tristan da Cunha, for which the ranges of mobile numbers are not known. */
const withoutMobileRanges: readonly string[] = ['AC', 'TA'];

/** Whether the number can be a mobile number. */
export function mayBeMobile(number: PhoneNumber): boolean {
  return mobileTypes.includes(number.getType()) || withoutMobileRanges.includes(number.country ?? '');
}

/** The alpha-2 code of the number's country in ISO 3166-1; undefined if it has none. Ascension and Tristan da Cunha belong to Saint Helena. */
export function countryOfNumber({ country }: PhoneNumber): string | undefined {
  return country !== undefined && withoutMobileRanges.includes(country) ? 'SH' : country;
}

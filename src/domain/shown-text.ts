/** Which characters texts may contain, and the picture addresses that clients show to customers. */

/**
 * NUL, which PostgreSQL text cannot contain, half of a surrogate pair, which UTF-8 cannot, and the marks of costs in our own sentences
 * (`cost-texts.ts`).
 */
const unstorable = /[\0\p{Cs}\uE000\uE001]/u;
const everyUnstorable = new RegExp(unstorable, 'gu');

/** The code point of the first character that cannot be stored, such as `U+0000`; undefined if there is none. */
export function unstorableCharacterOf(text: string): string | undefined {
  return codePointOf(text.match(unstorable)?.[0]);
}

/** Whether a text in the value, or a key of its objects, has such a character. Not recursive: the value may be nested deeply. */
export function hasUnstorableText(value: unknown): boolean {
  const left: unknown[] = [value];
  for (const each of left) {
    if (typeof each === 'string' && unstorableCharacterOf(each) !== undefined) return true;
    if (typeof each !== 'object' || each === null) continue;
    for (const part of Object.entries(each).flat()) left.push(part);
  }
  return false;
}

/** The text with U+FFFD in place of characters that cannot be stored. For a text that is only compared with stored ones. */
export function storableText(text: string): string {
  return text.replace(everyUnstorable, '\uFFFD');
}

/**
 * Characters that no shown line contains: control characters, line separators, characters that change the direction of text,
 * zero-width ones without a meaning in any script, unpaired surrogates, the marks of costs, and U+FFFD, which stands for a character that
 * was lost.
 */
const hiddenInLine = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\u200B\u2060\uE000\uE001\uFEFF\uFFFD]/gu;
/** The same for a text of several lines. */
const hiddenInText = /[^\P{Cc}\t\n\r]|[\p{Cs}\p{Bidi_Control}\u2028\u2029\u200B\u2060\uE000\uE001\uFEFF\uFFFD]/gu;

/** The code point of the first character that no shown line contains, such as `U+202E`; undefined if there is none. */
export function hiddenCharacterOfLine(line: string): string | undefined {
  return codePointOf(line.match(hiddenInLine)?.[0]);
}

/** The same for a text of several lines. */
export function hiddenCharacterOfText(text: string): string | undefined {
  return codePointOf(text.match(hiddenInText)?.[0]);
}

function codePointOf(character: string | undefined): string | undefined {
  const hexadecimal = character?.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  return hexadecimal && `U+${hexadecimal}`;
}

/** The text in one line, without hidden characters and double blanks. */
export function shownLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(hiddenInLine, '').trim();
}

/** The text without hidden characters. Its line breaks stay. */
export function shownText(text: string): string {
  return text.replace(hiddenInText, '').trim();
}

/** What people read in place of a text that they may not read. */
export const HIDDEN = 'hidden';

/** The path of a picture that the service has itself, as in the catalogue of the sandbox. */
const ownPicture = /^\/pictures\/[\w-]+\.svg$/;

/** Whether the text is the path of a picture of the sandbox. docs/specification.md#pictures-of-the-sandbox. */
export function isSandboxPicture(text: string): boolean {
  return ownPicture.test(text);
}

/** The address of a supplier's picture in its normal form, with blanks encoded; undefined unless it is an https address without credentials. */
export function pictureAddress(text: string): string | undefined {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) return undefined;
  const { protocol, username, password, href } = new URL(trimmed);
  return protocol === 'https:' && username === '' && password === '' ? href : undefined;
}

/** Texts of the service for a terminal. A product's name or a reference may contain characters that control it. */

/** C0 except tab and line feed, DEL, C1 and text direction. */
const controlCharacters = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The text without characters that control a terminal. */
export function printable(text: string): string {
  return text.replace(controlCharacters, '');
}

/** JSON with escaped control characters, so that programs read the original value. */
export function jsonText(value: object): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, 2).replace(controlCharacters, escaped);
}

/** The text of a file as bytes in UTF-8, which all readers but those of banks need. */
import { isUtf8 } from 'node:buffer';
import { InvalidArgument, type GivenFile } from '../arguments';
import { decodedText, utf16Of } from './text-encoding';

const LINE_FEED = 0x0a;

/** NUL, which PostgreSQL cannot store, and the marks of costs in our own sentences. No valid UTF-8 has half of a surrogate pair. */
const unstorable = ['\0', '\uE000', '\uE001'] as const;

/**
 * The text of the file in UTF-8, without a byte order mark. Throws `InvalidArgument` with the line if it is not UTF-8 or, with a mark,
 * UTF-16, or if it has a character that cannot be stored.
 */
export function utf8In({ name, bytes }: GivenFile): Buffer {
  const given = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const text = utf16Of(given) === undefined ? given : Buffer.from(decodedText(given));
  if (!isUtf8(text))
    throw new InvalidArgument(`${name}: it is not UTF-8, first in line ${firstBrokenLine(text)}: save it as UTF-8`);
  for (const character of unstorable) {
    const at = text.indexOf(character);
    if (at >= 0)
      throw new InvalidArgument(
        `${name}, line ${lineAt(text, at)}: remove the character ${codePointOf(character)}, which cannot be stored.`,
      );
  }
  return text.subarray(0, 3).toString() === '\uFEFF' ? text.subarray(3) : text;
}

/** The 1-based line of the byte. */
export function lineAt(text: Uint8Array, end: number): number {
  let line = 1;
  for (let at = text.indexOf(LINE_FEED); at >= 0 && at < end; at = text.indexOf(LINE_FEED, at + 1)) line += 1;
  return line;
}

/** No character of UTF-8 crosses a line feed. */
function firstBrokenLine(text: Buffer): number {
  for (let line = 1, from = 0; ; line++) {
    const end = text.indexOf(LINE_FEED, from);
    if (end < 0 || !isUtf8(text.subarray(from, end))) return line;
    from = end + 1;
  }
}

function codePointOf(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The characters of Windows-1252 from 0x80 to 0x9f. Node decodes it as Latin-1, which has controls there. */
const inPlaceOfControls = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/**
 * The text of a file in whatever encoding banks write: UTF-16 with a byte order mark, UTF-8, or else Windows-1252, in which every
 * byte is a character. Without the mark.
 */
export function decodedText(bytes: Uint8Array): string {
  const marked = utf16Of(bytes);
  if (marked !== undefined) return new TextDecoder(marked).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes)
      .toString('latin1')
      .replace(/[\x80-\x9f]/g, (control) => inPlaceOfControls.charAt(control.charCodeAt(0) - 0x80));
  }
}

/** The form of UTF-16 that the byte order mark of the file names; undefined without such a mark. */
export function utf16Of([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** The characters of Windows-1252 from 0x80 to 0x9f. Node decodes it as Latin-1, which has controls there. */
const inPlaceOfControls = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/**
 * The text of a file in whatever encoding banks write: UTF-16 with a byte order mark, UTF-8, or else Windows-1252, in which every
 * byte is a character. Without the mark.
 */
export function decodedText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes)
      .toString('latin1')
      .replace(/[\x80-\x9f]/g, (control) => inPlaceOfControls.charAt(control.charCodeAt(0) - 0x80));
  }
}

/** Texts of banks as they are stored and shown. */

/** Characters that separate words or lines, other than a blank and a line feed. */
const separators = /[\t\v\f\r\u0085\u2028\u2029]/g;
/** Controls, and characters without a picture, such as those that turn the direction of a text. */
const invisible = /[^\P{Cc}\n]|[\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/gu;

/** Most texts are such. */
const plain = /^[\n\x20-\x7e]*$/;

/** The text with line feeds and blanks as its only white space of the ASCII kind, and without invisible characters. */
export function cleanedLines(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(/\r\n/g, '\n').replace(separators, ' ').replace(invisible, '');
}

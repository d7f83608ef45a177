/** Reads the elements of XML one after the other: a file is never a tree as a whole. */
import { SaxesParser } from 'saxes';
import { InvalidArgument } from '../arguments';

/** No file needs more. */
const MAX_DEPTH = 20;

/** What is read at once. */
const PIECE = 64 * 1024;

type Attributes = Readonly<Record<string, string | undefined>>;

/**
 * Calls `take` with each element when it begins: its path of names without prefixes, such as `Envelope/Cube`, and its attributes. Throws
 * `InvalidArgument`, which begins with a verb and names the line, if the text in UTF-8 is no XML, has a DOCTYPE, or nests too deeply.
 */
export function readXmlElements(text: Buffer, take: (path: string, attributes: Attributes) => void): void {
  const parser = new SaxesParser({ xmlns: false });
  const names: string[] = [];
  parser.on('doctype', () => {
    throw new InvalidArgument('has a DOCTYPE, which is not read');
  });
  parser.on('error', ({ message }) => {
    throw new InvalidArgument(`is no XML: line ${message}`);
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (names.length === MAX_DEPTH)
      throw new InvalidArgument(`is no XML: line ${parser.line}: it nests deeper than ${MAX_DEPTH} levels`);
    names.push(name.slice(name.indexOf(':') + 1));
    take(names.join('/'), attributes);
  });
  parser.on('closetag', () => void names.pop());
  const decoder = new TextDecoder();
  for (let from = 0; from < text.length; from += PIECE)
    parser.write(decoder.decode(text.subarray(from, from + PIECE), { stream: true }));
  parser.write(decoder.decode()).close();
}

/** The fields of SWIFT messages such as MT940, read line by line. */
import { assertFieldLength } from '../files/field-lengths';

export interface Mt940Field {
  /** Such as `61`, or `type` for the type of the message in its header. */
  tag: string;
  /** With its line breaks. */
  content: string;
  /** The line of the file at which it begins. */
  line: number;
}

/** A line of a text may begin like a field: only those of the format are fields. */
const fieldPattern = /^:(13D|20|21|25P?|28C?|32A|34F|6[02][FM]|61|64|65|86|90[CD]|NS):/;
/** Of an application header, block 2. */
const typePattern = /^(?:\{1:[^{}]*\})?\{2:[IO](\d{3})/;

/** The fields of block 4, one after the other, and the type of each message with a header. Throws `InvalidArgument`. */
export function* fieldsOf(text: string): Generator<Mt940Field> {
  let field: Mt940Field | undefined;
  let isInStatement = false;
  for (const { line, written } of linesOf(text)) {
    const [, type] = typePattern.exec(written) ?? [];
    const content = withoutHeaders(written);
    const [label, tag] = fieldPattern.exec(content) ?? [];
    // Inside a statement, this is a line of a text: only a notification has the field.
    const isField = tag !== undefined && !(tag === '32A' && isInStatement);
    if (field && (isField || type !== undefined)) {
      yield field;
      field = undefined;
    }
    if (type !== undefined) yield { tag: 'type', content: type, line };
    if (isField) {
      field = { tag, content: content.slice(label?.length), line };
      isInStatement = tag.startsWith('60') || (isInStatement && tag !== '20');
    } else if (field && !isEnd(content) && content.trim() !== '') {
      field.content += `\n${content}`;
      assertFieldLength(field.content.length, line, `field ${field.tag}`);
    }
  }
  if (field) yield field;
}

/** The line behind the headers of the message, blocks 1 to 3, if it has any. */
function withoutHeaders(written: string): string {
  const begin = written.startsWith('{') ? written.indexOf('{4:') : -1;
  return begin < 0 ? written : written.slice(begin + 3);
}

/** Whether the line ends block 4, or is a header or a trailer. */
function isEnd(line: string): boolean {
  return line === '-' || line.startsWith('-}') || line.startsWith('{');
}

/** The lines that are not empty, numbered from 1, one after the other: a file is never split as a whole. */
function* linesOf(text: string): Generator<{ line: number; written: string }> {
  let begin = 0;
  for (let line = 1; begin < text.length; line += 1) {
    const feed = text.indexOf('\n', begin);
    const end = feed < 0 ? text.length : feed;
    assertFieldLength(end - begin, line, 'it');
    const written = text.slice(begin, text[end - 1] === '\r' ? end - 1 : end);
    if (written !== '') yield { line, written };
    begin = end + 1;
  }
}

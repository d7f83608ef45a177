/** Reads JSON files item by item: a file is never a value as a whole. */
import { Tokenizer, TokenizerError, TokenParser, TokenParserError, TokenType } from '@streamparser/json';
import { InvalidArgument, type GivenFile } from '../arguments';
import { Faults } from './faults';
import { utf8In } from './utf8-file';

/** No file needs more. */
const MAX_DEPTH = 20;

/** The parts of JSON (values, keys, brackets, colons and commas) that one item may have. */
const MAX_PARTS = 100_000;

const LINE_FEED = 0x0a;

interface JsonFormat {
  /**
   * Where the items are: the names of arrays of the file, which is then an object, or `file` if the file is an array. Each other value of the
   * object, by the names in `others`, is an item, too.
   */
  lists: readonly string[] | 'file';
  others?: readonly string[];
  maxItems: number;
  /** What the items are, in the plural, such as `products`. */
  items: string;
}

/** An item of the file. `list`: the name of its list, or its own name. */
export interface JsonItem {
  list: string;
  value: unknown;
}

/**
 * Calls `take` with each item, as soon as it is read. `take` throws `InvalidArgument` for a faulty one. Throws `InvalidArgument` with the
 * first of these faults, if there are any, and at once with the line if the file is no JSON of this format, has too many items, or one that
 * is too large or nests too deeply. No message but those of `take` has a text of the file, except for the names of its lists.
 */
export function readJsonItems(file: GivenFile, format: JsonFormat, take: (item: JsonItem) => void): void {
  const text = utf8In(file);
  const reader = new ItemReader(file.name, format, take);
  // Line by line, which no value crosses but a list or an object.
  for (let from = 0; from < text.length;) {
    const end = text.indexOf(LINE_FEED, from);
    const to = end < 0 ? text.length : end + 1;
    reader.read(text.subarray(from, to));
    from = to;
  }
  reader.end();
}

class ItemReader {
  private line = 1;
  private depth = 0;
  private parts = 0;
  private items = 0;
  /** The name of the value of the file that is being read, if the file is an object. */
  private name: string | undefined;
  private readonly known = new Set<string>();
  private last: TokenType | undefined;
  private fault: Error | undefined;
  private readonly faults: Faults;
  private readonly tokenizer = new Tokenizer();
  private readonly parser: TokenParser;

  constructor(
    private readonly file: string,
    private readonly format: JsonFormat,
    take: (item: JsonItem) => void,
  ) {
    this.faults = new Faults(file);
    const { lists, others = [] } = format;
    const paths =
      lists === 'file' ? ['$.*'] : [...others, ...lists.map((name) => `${name}.*`)].map((path) => `$.${path}`);
    this.parser = new TokenParser({ paths, keepStack: false });
    this.parser.onValue = ({ value }) => {
      const { line, name: list = '' } = this;
      this.faults.noting(`line ${line}, item ${this.items}`, () => take({ list, value }));
    };
    this.parser.onError = (error) => void (this.fault ??= error);
    this.tokenizer.onError = (error) => void (this.fault ??= error);
    this.tokenizer.onToken = (token) => {
      // The library would go on.
      if (this.fault) throw this.fault;
      this.count(token.token, token.value);
      this.parser.write(token);
      this.last = token.token;
    };
  }

  read(line: Uint8Array): void {
    this.tokenizer.write(line);
    if (this.fault) throw isOfSyntax(this.fault) ? this.noJson() : this.fault;
    if (line.at(-1) === LINE_FEED) this.line += 1;
  }

  end(): void {
    if (!this.parser.isEnded) throw this.noJson();
    this.faults.reject();
  }

  /** Checks the limits and the outer structure before the token is read. */
  private count(token: TokenType, value: unknown): void {
    const { lists } = this.format;
    const isRoot = this.depth === 0;
    const isKey =
      this.depth === 1 && lists !== 'file' && (this.last === TokenType.LEFT_BRACE || this.last === TokenType.COMMA);
    if (isRoot && token !== (lists === 'file' ? TokenType.LEFT_BRACKET : TokenType.LEFT_BRACE))
      throw this.invalid(`it is no JSON ${lists === 'file' ? 'array' : 'object'}`);
    if (isKey && token === TokenType.STRING) this.begin(String(value));
    const isList = this.name !== undefined && lists !== 'file' && lists.includes(this.name);
    if (isList && this.depth === 1 && this.last === TokenType.COLON && token !== TokenType.LEFT_BRACKET)
      throw this.invalid(`"${this.name}" must be an array`);
    const itemDepth = lists === 'file' ? 1 : isList ? 2 : Infinity;
    if (this.depth === itemDepth) this.countItem(token);
    this.parts += 1;
    if (this.parts > MAX_PARTS) throw this.invalid('a value is too large');
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) this.depth += 1;
    if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) this.depth -= 1;
    if (this.depth > MAX_DEPTH) throw this.invalid(`it nests deeper than ${MAX_DEPTH} levels`);
  }

  private begin(name: string): void {
    const { lists, others = [] } = this.format;
    if (lists !== 'file' && ![...others, ...lists].includes(name)) throw this.invalid('it has an unknown key');
    if (this.known.has(name)) throw this.invalid(`it has "${name}" twice`);
    this.known.add(name);
    this.name = name;
    this.parts = 0;
  }

  /** A token between the items of a list, or the first one of an item. */
  private countItem(token: TokenType): void {
    if (token === TokenType.COMMA || token === TokenType.RIGHT_BRACKET) return;
    this.parts = 0;
    this.items += 1;
    const { maxItems, items } = this.format;
    if (this.items > maxItems) throw this.invalid(`a file can have ${maxItems} ${items}: split it`);
  }

  private invalid(fault: string): InvalidArgument {
    return new InvalidArgument(`${this.file}: line ${this.line}: ${fault}`);
  }

  /** What the library says may repeat the file, which may be confidential. */
  private noJson(): InvalidArgument {
    return new InvalidArgument(`${this.file} cannot be read as JSON, first in line ${this.line}: correct the file`);
  }
}

function isOfSyntax(fault: Error): boolean {
  return fault instanceof TokenizerError || fault instanceof TokenParserError;
}

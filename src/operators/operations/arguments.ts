/** The arguments of operations: how an operator writes them, and what an operation gets. */

/** A text that is no value of its argument. The message says what is valid. */
export class InvalidArgument extends Error {}

/** A file of an operator, or one that the service fetched. `name`: as the operator wrote it, for messages. */
export interface GivenFile {
  name: string;
  bytes: Uint8Array;
}

/** What an operator wrote: the words of a command, or the fields of a form or a JSON body as text. */
export type Written = string | readonly string[] | boolean | GivenFile | undefined;
export type Given = Readonly<Record<string, Written>>;

export function isGivenFile(written: Written): written is GivenFile {
  return typeof written === 'object' && 'bytes' in written;
}

/** A type of value. */
export interface Kind<T> {
  /** What stands for a value in a command, such as `amount` in `--cost <amount>`. */
  placeholder: string;
  /** One value in JSON (JSON Schema). */
  schema: { readonly type: 'string' | 'integer'; readonly [keyword: string]: unknown };
  /** Throws `InvalidArgument`. */
  read: (text: string) => T;
}

/** One argument of an operation. */
export interface Argument<T> {
  /**
   * Its place in a command: a word, `--name <value>`, `--name`, or `--name` and `--no-name`. `file`: a word with the path of a file.
   * `file option`: `--name <file>`. `secret`: `--name`, and the value on standard input, because shells and process lists keep words.
   */
  place: 'word' | 'option' | 'flag' | 'switch' | 'file' | 'file option' | 'secret';
  /** What it is, in the words of a page: no command, no option, no name of a setting. */
  about: string;
  /** The same for the help of the command, if that has more to say. */
  inTerminal?: string;
  isRequired: boolean;
  repeats: boolean;
  /** Absent for flags, switches and files. */
  kind?: Pick<Kind<unknown>, 'placeholder' | 'schema'>;
  /** What `--no-name` of a switch does. */
  opposite?: string;
  /** Of a file: the largest that the operation takes. */
  maxBytes?: number;
  /** Of a file with texts about orders: its text with `hidden` in place of each of them. */
  withoutTexts?: (file: GivenFile) => Promise<string>;
  /** No log and no audit entry may have the value. */
  isConfidential?: true;
  /** The value without the argument, as text. */
  standard?: string;
  /** Throws `InvalidArgument`. */
  read: (written: Written) => T;
}

export type Arguments = Readonly<Record<string, Argument<unknown>>>;

/** The values that an operation gets. */
export type ArgumentValues<A extends Arguments> = {
  readonly [Name in keyof A]: A[Name] extends Argument<infer T> ? T : never;
};

function one<T>(kind: Kind<T>, written: Written): T {
  if (typeof written !== 'string') throw new InvalidArgument('Give one value.');
  return kind.read(written);
}

function maybe<T>(kind: Kind<T>, written: Written): T | undefined {
  return written === undefined ? undefined : one(kind, written);
}

function many<T>(kind: Kind<T>, written: Written): T[] {
  const texts = typeof written === 'string' ? [written] : written;
  if (!Array.isArray(texts)) throw new InvalidArgument('Give one value or more.');
  return texts.map((text: string) => kind.read(text));
}

const single = { repeats: false } as const;

/** A word that every call has. */
export function word<T>(kind: Kind<T>, about: string): Argument<T> {
  return { ...single, place: 'word', isRequired: true, kind, about, read: (written) => one(kind, written) };
}

/** A last word that a call may leave out. */
export function optionalWord<T>(kind: Kind<T>, about: string): Argument<T | undefined> {
  return { ...single, place: 'word', isRequired: false, kind, about, read: (written) => maybe(kind, written) };
}

/** The last words, at least one. */
export function words<T>(kind: Kind<T>, about: string): Argument<T[]> {
  return { place: 'word', isRequired: true, repeats: true, kind, about, read: (written) => many(kind, written) };
}

export function option<T>(kind: Kind<T>, about: string): Argument<T | undefined> {
  return { ...single, place: 'option', isRequired: false, kind, about, read: (written) => maybe(kind, written) };
}

export function requiredOption<T>(kind: Kind<T>, about: string): Argument<T> {
  return { ...single, place: 'option', isRequired: true, kind, about, read: (written) => one(kind, written) };
}

/** An option with a value for calls without it, as text. */
export function optionOr<T>(kind: Kind<T>, standard: string, about: string): Argument<T> {
  return {
    ...requiredOption(kind, about),
    isRequired: false,
    standard,
    read: (written) => one(kind, written ?? standard),
  };
}

/** An option that a call may have several times. */
export function options<T>(kind: Kind<T>, about: string): Argument<T[]> {
  return {
    place: 'option',
    isRequired: false,
    repeats: true,
    kind,
    about,
    read: (written) => many(kind, written ?? []),
  };
}

export function flag(about: string): Argument<boolean> {
  return { ...single, place: 'flag', isRequired: false, about, read: isSet };
}

/** `--name` for true, `--no-name` for false. `opposite`: what false means. */
export function toggle(about: string, opposite: string): Argument<boolean | undefined> {
  return {
    ...single,
    place: 'switch',
    isRequired: false,
    about,
    opposite,
    read: (written) => (written === undefined ? undefined : isSet(written)),
  };
}

/** Throws for everything but true and false: a flag can protect against a payment, such as `dry_run`. */
function isSet(written: Written): boolean {
  if (written === undefined || written === false || written === 'false') return false;
  if (written === true || written === 'true') return true;
  throw new InvalidArgument('Give true or false.');
}

/** A value that no log and no audit entry may have, and no command line. */
export function secretOption<T>(kind: Kind<T>, about: string): Argument<T | undefined> {
  return {
    ...single,
    place: 'secret',
    isRequired: false,
    isConfidential: true,
    kind,
    about,
    read: (written) => maybe(kind, written),
  };
}

/** The same, for an argument that every call has. */
export function requiredSecret<T>(kind: Kind<T>, about: string): Argument<T> {
  return { ...secretOption(kind, about), isRequired: true, read: (written) => one(kind, written) };
}

/** The argument with a value that no log and no audit entry may have, such as a recipient. */
export function confidential<T>(argument: Argument<T>): Argument<T> {
  return { ...argument, isConfidential: true };
}

/** The argument with words of its own in the help of the command. */
export function inTerminal<A extends Argument<unknown>>(argument: A, text: string): A {
  return { ...argument, inTerminal: text };
}

/** `costPercent` as `cost-percent`, the name in a command. */
export function hyphenated(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The argument as an operator types it: `--cost-percent`, or the name of a word. */
function typed(name: string, { place }: Argument<unknown>): string {
  return place === 'word' || place === 'file' ? hyphenated(name) : `--${hyphenated(name)}`;
}

/** Reads every argument. Throws `InvalidArgument`, whose message names the argument as an operator types it. */
export function readValues<A extends Arguments>(described: A, given: Given): ArgumentValues<A> {
  const values = Object.entries(described).map(([name, argument]) => {
    try {
      return [name, argument.read(given[name])] as const;
    } catch (error) {
      if (error instanceof InvalidArgument) throw new InvalidArgument(`${typed(name, argument)}: ${error.message}`);
      throw error;
    }
  });
  // Each argument reads its own value, so the values have the types that the arguments state.
  return Object.fromEntries(values) as ArgumentValues<A>;
}

/** Reads the arguments that are given. Throws as `readValues` does. */
export function readKnown<A extends Arguments>(described: A, known: Given): Partial<ArgumentValues<A>> {
  const named = Object.entries(described).filter(([name]) => known[name] !== undefined);
  return readValues(Object.fromEntries(named), known) as Partial<ArgumentValues<A>>;
}

/** The command of an operation: its words, arguments and options, and what it prints. */
import { readFileSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { text as readAll } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Argument as Word, Option, type Command } from 'commander';
import { hyphenated, type Argument, type Given, type GivenFile, type Written } from '../operations/arguments';
import type { DataOperation, Operation } from '../operations/operation';
import { groups } from '../operations/operations';
import { jsonText, printable, table } from '../operations/text';
import { checked } from './arguments';
import { outputPage, wantsJson, withProgress } from './output';
import type { Door } from './operators-client';

/** Adds the command of the operation, and the groups that its words name. */
export function addOperation(program: Command, operation: Operation, door: Door): void {
  const command = commandNamed(program, operation.name).description(operation.inTerminal ?? operation.about);
  for (const [name, argument] of Object.entries(operation.arguments)) addArgument(command, name, argument);
  if (asks(operation)) command.option('-y, --yes', 'confirm in advance; without a terminal, the command does not ask');
  command.action(() => call(operation, command, door));
}

/** The command with these words, such as `wallets fund`. */
export function commandNamed(program: Command, words: string): Command {
  let command = program;
  const path: string[] = [];
  for (const word of words.split(' ')) {
    path.push(word);
    const known = command.commands.find((one) => one.name() === word);
    command =
      known ??
      command
        .command(word)
        .description(groups[path.join(' ')] ?? '')
        .hook('preSubcommand', passOn);
  }
  return command;
}

/** Commander gives an option of a subcommand to its group if the group has an option of this name, as `reconcile` does. */
function passOn(group: Command, subcommand: Command): void {
  for (const option of subcommand.options) {
    const value: unknown = group.getOptionValue(option.attributeName());
    if (value !== undefined) subcommand.setOptionValue(option.attributeName(), value);
  }
}

function addArgument(command: Command, name: string, argument: Argument<unknown>): void {
  const { place, isRequired, repeats, inTerminal: about = argument.about } = argument;
  const word = hyphenated(name);
  if (place === 'switch') {
    command.option(`--${word}`, about).option(`--no-${word}`, argument.opposite);
  } else if (place === 'word' || place === 'file') {
    const form = `${word}${repeats ? '...' : ''}`;
    const added = new Word(isRequired ? `<${form}>` : `[${form}]`, about);
    command.addArgument(added.argParser(reader(argument)));
  } else {
    command.addOption(optionOf(word, argument));
  }
}

function optionOf(word: string, argument: Argument<unknown>): Option {
  const { place, isRequired, kind, standard, inTerminal: about = argument.about } = argument;
  const value = place === 'option' ? ` <${kind?.placeholder}>` : place === 'file option' ? ' <file>' : '';
  const option = new Option(`--${word}${value}`, about);
  if (value !== '') option.argParser(reader(argument));
  // As the help shows it: without the quotation marks of a text.
  if (standard !== undefined) option.default(standard, kind?.schema.type === 'integer' ? standard : undefined);
  return option.makeOptionMandatory(isRequired);
}

/** Checks a text when commander reads it, so that the message names the argument as the command writes it. */
function reader({ maxBytes, repeats, read }: Argument<unknown>) {
  return (text: string, earlier: Written): Written => {
    const written = maxBytes === undefined ? text : fileAt(text, maxBytes);
    checked(read)(written);
    return repeats ? [...((earlier ?? []) as readonly string[]), text] : written;
  };
}

/** The file at the path. The operators' process reads it. */
function fileAt(path: string, maxBytes: number): GivenFile {
  try {
    // A pipe has no size before it is read.
    assertFits(statSync(path).size, maxBytes);
    const bytes = readFileSync(path);
    assertFits(bytes.length, maxBytes);
    return { name: path, bytes };
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
  }
}

function assertFits(size: number, maxBytes: number): void {
  if (size > maxBytes) throw new Error(`it is larger than ${maxBytes / 2 ** 20} MiB: split it`);
}

/** What the operator wrote, by the names of the arguments. */
async function givenIn(operation: Operation, command: Command): Promise<Given> {
  // The program takes an option of its own, such as `--operator`, before its commands do.
  const options = command.optsWithGlobals<Record<string, Written>>();
  const described = Object.entries(operation.arguments);
  const words = described.filter(([, { place }]) => place === 'word' || place === 'file');
  const written = command.processedArgs as Written[];
  const given = described.map(async ([name, argument]): Promise<[string, Written]> => {
    if (argument.place === 'secret') return [name, options[name] === true ? await readSecret(argument) : undefined];
    const position = words.findIndex(([word]) => word === name);
    return [name, position < 0 ? options[name] : written[position]];
  });
  return Object.fromEntries(await Promise.all(given));
}

/** The text on standard input. */
async function readSecret({ kind }: Argument<unknown>): Promise<string> {
  const what = kind?.placeholder ?? 'value';
  console.error(
    process.stdin.isTTY ? `Enter the ${what}, then press Ctrl-D:` : `Reading the ${what} from standard input ...`,
  );
  const secret = (await readAll(process.stdin)).trim();
  if (secret === '') throw new Error(`Give the ${what} on standard input.`);
  return secret;
}

async function call(operation: Operation, command: Command, door: Door): Promise<void> {
  const given = await givenIn(operation, command);
  const mustAsk = asks(operation) && !command.opts<{ yes?: boolean }>().yes && process.stdin.isTTY;
  const effect = mustAsk ? await door.preview(operation, given) : undefined;
  if (effect !== undefined) await confirm(effect);
  if ('parts' in operation) return print(door.parts(operation, given, wantsJson(command) ? 'json' : 'text'));
  const { data, mark } = await withProgress((progress) =>
    door.run(operation, given, { progress, remark: (sentence) => console.error(sentence) }),
  );
  if (mark > 0) process.exitCode = mark;
  console.log(shown(operation, data, given, command));
}

function asks(operation: Operation): boolean {
  return operation.preview !== undefined && !operation.isUnasked;
}

/** Asks at the terminal. Throws unless the response is yes. */
async function confirm(effect: string): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const response = await terminal.question(`${printable(effect)} Continue? [y/N] `);
    if (!/^y(es)?$/i.test(response.trim())) throw new Error('Nothing was done.');
  } finally {
    terminal.close();
  }
}

/** Prints the document without terminal controls. A reader such as `head` may stop early without an error. */
async function print(parts: AsyncIterable<string>): Promise<void> {
  await pipeline(parts, printableParts, process.stdout, { end: false }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

async function* printableParts(parts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const part of parts) yield printable(part);
}

function shown(operation: DataOperation, data: unknown, given: Given, command: Command): string {
  if (typeof data === 'string') return data;
  const value = Object(operation.rows?.(data) ?? data) as object;
  if (wantsJson(command)) return jsonText(value);
  if (operation.text) return operation.text(data, outputPage(), given);
  return table(Array.isArray(value) ? value : [value], outputPage().tableColumns);
}

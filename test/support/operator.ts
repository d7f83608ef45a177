/** Changes the stack with the commands of the ops CLI, in this process. */
import { randomBytes } from 'node:crypto';
import { format } from 'node:util';
import { CommanderError, type Command } from 'commander';
import { sentenceOf } from '../../src/operators/operations/failure';
import { RemoteDoor, type Door } from '../../src/operators/cli/operators-client';
import { CommandFailed } from '../../src/operators/cli/output';
import { opsProgram } from '../../src/operators/cli/program';
import { currentOperator } from '../../src/operators/cli/command-resources';
import { DirectDoor } from './direct-door';
import { stackSecretKeys } from '../../dev/testbed/stack-keys';
import { loadStack, stackDirectory } from '../../dev/testbed/loaded-stack';
import { wordsOf, type Typed } from './command-words';
import type { Json } from './stack';
import type { ToolRun } from './tool';

/** Runs a command on the stack: `` ops`attention list` ``. Returns the printed rows; none if the command prints a message. */
export async function ops(...command: Typed): Promise<Json[]> {
  const text = await printedBy(loadStack().database_url, '--json', ...wordsOf(command));
  return text.startsWith('[') ? (JSON.parse(text) as Json[]) : [];
}

/** The SECRET_KEYS of databases outside the stack. */
export const ownSecretKeys = `test:${randomBytes(32).toString('base64')}`;

const unusedSecret = randomBytes(16).toString('hex');

/** Runs a command on a database. Returns its output. */
export function printedBy(databaseUrl: string, ...words: (string | number)[]): Promise<string> {
  const secretKeys = databaseUrl === loadStack().database_url ? stackSecretKeys() : ownSecretKeys;
  return printedWith({ databaseUrl, secretKeys }, ...words);
}

/** The operators' process of the stack, as its local admin; for another database, its operations in this process. */
function doorOf(databaseUrl: string): Door {
  const { database_url: ofStack, ops_url: url } = loadStack();
  if (databaseUrl !== ofStack) return new DirectDoor();
  return new RemoteDoor(() => ({ url, token: stackDirectory().operatorToken() ?? '' }), currentOperator);
}

/** Has the operators' process of the stack encrypt or decrypt payloads, as the Temporal UI does. `token`: by default, of the local admin. */
export function callCodec(
  direction: 'encode' | 'decode',
  payloads: readonly object[],
  token = stackDirectory().operatorToken() ?? '',
): Promise<Response> {
  return fetch(`${loadStack().codec_url}/${direction}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ payloads }),
  });
}

/** The CLI's environment. */
export interface ToolSettings {
  databaseUrl: string;
  secretKeys: string;
  /** By default, that of the stack. */
  temporalAddress?: string;
}

/** Programs that run no command now: to build one takes 20 ms of CPU. One that has failed is not used again. */
const idlePrograms = { ofStack: [] as Command[], ofOthers: [] as Command[] };
const programsFor = (databaseUrl: string) =>
  databaseUrl === loadStack().database_url ? idlePrograms.ofStack : idlePrograms.ofOthers;

/** The same with other SECRET_KEYS. */
export async function printedWith(settings: ToolSettings, ...words: (string | number)[]): Promise<string> {
  const printed = jest.spyOn(console, 'log').mockImplementation();
  const programs = programsFor(settings.databaseUrl);
  const program = programs.pop() ?? opsProgram(doorOf(settings.databaseUrl));
  try {
    await withSettings(settings, program, words);
    programs.push(program);
    return printed.mock.calls.flat().join('\n');
  } finally {
    printed.mockRestore();
  }
}

/**
 * Runs a command of the ops CLI on the stack. Returns its output and its exit code, as `runTool` does, but without the seconds
 * of a process. Not for commands that print a document.
 */
export async function runOps(...command: Typed): Promise<ToolRun> {
  const run: ToolRun = { exitCode: 0, stdout: '', stderr: '' };
  const to =
    (stream: 'stdout' | 'stderr') =>
    (...values: unknown[]) =>
      void (run[stream] += `${format(...values)}\n`);
  const spies = [
    jest.spyOn(console, 'log').mockImplementation(to('stdout')),
    jest.spyOn(console, 'error').mockImplementation(to('stderr')),
  ];
  const databaseUrl = loadStack().database_url;
  const program = opsProgram(doorOf(databaseUrl));
  for (const command of withSubcommands(program))
    command.exitOverride().configureOutput({ writeErr: (text) => void (run.stderr += text) });
  const { exitCode } = process;
  process.exitCode = 0;
  try {
    await withSettings({ databaseUrl, secretKeys: stackSecretKeys() }, program, wordsOf(command));
    return { ...run, exitCode: Number(process.exitCode) };
  } catch (error) {
    // Commander has printed its own errors.
    if (!(error instanceof CommanderError)) to('stderr')(sentenceOf(error));
    const isStated = error instanceof CommanderError || error instanceof CommandFailed;
    return { ...run, exitCode: isStated ? error.exitCode : 1 };
  } finally {
    process.exitCode = exitCode;
    spies.forEach((spy) => spy.mockRestore());
  }
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

async function withSettings(
  { databaseUrl, secretKeys, temporalAddress = loadStack().temporal_address }: ToolSettings,
  program: Command,
  words: readonly (string | number)[],
): Promise<void> {
  const environment = { ...process.env };
  Object.assign(process.env, {
    DATABASE_URL: databaseUrl,
    SECRET_KEYS: secretKeys,
    TEMPORAL_ADDRESS: temporalAddress,
    // The commands of these tests do not call the supplier.
    SIMULATOR_SECRET: unusedSecret,
  });
  try {
    await program.parseAsync(words.map(String), { from: 'user' });
  } finally {
    process.env = environment;
  }
}

import { Command, Help, type Option } from 'commander';
import { reasonText } from '../operations/kinds';
import { operations } from '../operations/operations';
import { addDeployCommands } from './commands/deploy';
import { addSecretKeyCommands } from './commands/secret-keys';
import { addRestoreCommands, addSchemaCommand } from './commands/database';
import { addPrivacyCommands } from './commands/privacy';
import { addReplayCommand } from './commands/replay';
import { addLocalPeopleCommands } from './commands/local-people';
import { checked } from './arguments';
import type { Door } from './operators-client';
import { addCompletionCommand } from './completion';
import { addLoginCommands } from './login';
import { addOperation } from './operation-command';
import { leavesOf } from './parse-errors';
import { beginOperation, wordsOf } from './command-resources';
import { ownVersion } from '../../settings/own-version';

/** All commands of the ops CLI. A command that fails throws, and `main.ts` prints the error without a stack. */
export function opsProgram(door: Door): Command {
  const program = emptyProgram();
  for (const operation of operations) addOperation(program, operation, door);
  addLocalCommands(program);
  addLoginCommands(program);
  addCompletionCommand(program);
  const reading = readingCommands();
  for (const command of leavesOf(program)) if (!reading.includes(wordsOf(command))) acceptReason(command);
  return program;
}

/** Only the commands about the login. They start in half the time, because they load no operation. */
export function loginProgram(): Command {
  const program = emptyProgram();
  addLoginCommands(program);
  return program;
}

/** The commands of `loginProgram`. */
export const loginCommands: readonly string[] = ['login', 'logout', 'whoami'];

function emptyProgram(): Command {
  return new Command('ops')
    .description('Operates the Digital Goods Ordering Service')
    .version(ownVersion(), '--version', 'print the version')
    .option('--json', 'print JSON instead of a table')
    .option(
      '--operator <name>',
      'your name for the audit log, if no login gives it; default: OPS_OPERATOR, otherwise your user name',
    )
    .configureHelp({ optionDescription: describedOption, showGlobalOptions: true })
    .hook('preAction', (_program, command) => beginOperation(command));
}

/** Commands that need the machine of the service, with its database address or its keys. Each says so in its description. */
function addLocalCommands(program: Command): void {
  const isRemote = new Set([...program.commands, ...leavesOf(program)]);
  addSecretKeyCommands(program);
  addReplayCommand(program);
  addDeployCommands(program);
  addRestoreCommands(program);
  addPrivacyCommands(program);
  addSchemaCommand(program);
  addLocalPeopleCommands(program);
  for (const command of new Set([...program.commands, ...leavesOf(program)]))
    if (!isRemote.has(command)) command.description(`${command.description()} (local: on the machine of the service)`);
}

/** Commands that change nothing and need no reason. Of these, only `orders show` and `orders reveal` write an audit entry. */
export function readingCommands(): string[] {
  const reading = operations.filter(({ effect }) => effect === 'reads').map(({ name }) => name);
  return [...reading, 'deploy status', 'restore lost', 'secret-keys list', 'replay', 'completion', ...loginCommands];
}

/** The description of an option in `--help`, which says whether the option is required. */
function describedOption(option: Option): string {
  const described = new Help().optionDescription(option);
  return option.mandatory ? `${described} (required)` : described;
}

/** Adds `--reason` to a command that changes something and does not have the option yet. */
function acceptReason(command: Command): void {
  const hasReason = command.options.some(({ long }) => long === '--reason');
  if (!hasReason) command.option('--reason <text>', 'the reason, for the audit log', checked(reasonText.read));
}

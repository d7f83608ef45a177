/** What the ops CLI says about a command that it cannot read. Commander names the first error only. */
import type { Command, CommanderError } from 'commander';
import { wordsOf } from './command-resources';

/** Prints, after the error of the command line, everything else that is missing, or the commands that an unknown one may mean. Then exits. */
export function explainErrors(command: Command): void {
  command.exitOverride((error) => {
    for (const line of explanation(command, error)) console.error(line);
    process.exit(error.exitCode);
  });
  command.commands.forEach(explainErrors);
}

function explanation(command: Command, { code, message }: CommanderError): string[] {
  if (code === 'commander.unknownCommand' && !message.includes('Did you mean')) return suggestion(command);
  if (code !== 'commander.missingMandatoryOptionValue' && code !== 'commander.missingArgument') return [];
  const options = command.options
    .filter((option) => option.mandatory && command.getOptionValue(option.attributeName()) === undefined)
    .map(({ flags }) => `error: required option '${flags}' not specified`);
  const words = command.registeredArguments
    .filter(({ required }, index) => required && command.args[index] === undefined)
    .map((argument) => `error: missing required argument '${argument.name()}'`);
  return [...options, ...words].filter((line) => line !== message);
}

/** Words that other tools use for one thing. */
const synonyms = [
  ['list', 'ls', 'find', 'search'],
  ['show', 'get', 'view', 'describe'],
  ['create', 'add', 'new', 'set', 'open', 'invite'],
  ['remove', 'delete', 'rm', 'clear', 'revoke'],
];

/** The commands below this one whose last word means the same. */
function suggestion(command: Command): string[] {
  const [unknown = ''] = command.args;
  const same = synonyms.find((words) => words.includes(unknown)) ??
    synonyms.find((words) => words.some((word) => isNear(word, unknown))) ?? [unknown];
  const meant = leavesOf(command).filter((leaf) => same.includes(leaf.name()));
  if (meant.length === 0) return [`(See: ops ${`${wordsOf(command)} --help`.trim()})`];
  return [`(Did you mean ${meant.length > 1 ? 'one of ' : ''}${meant.map(wordsOf).join(', ')}?)`];
}

/** Whether the words have the same letters, or differ by one. */
function isNear(one: string, other: string): boolean {
  const [letters, others] = [one, other].map((word) => [...word].sort().join(''));
  if (letters === others) return true;
  const same = [...one].findIndex((letter, index) => letter !== other[index]);
  const [rest, otherRest] = [one, other].map((word) => word.slice(same === -1 ? one.length : same));
  const [shorter, otherShorter] = [rest?.slice(1), otherRest?.slice(1)];
  return shorter === otherRest || rest === otherShorter || shorter === otherShorter;
}

/** The commands without commands of their own. */
export function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

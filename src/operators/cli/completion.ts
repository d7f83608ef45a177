/** `completion`: scripts with which shells complete the commands of `ops` and their options. A script calls no program. */
import { Argument, Help, type Command } from 'commander';
import { wordsOf } from './command-resources';

const shells = { bash, zsh, fish };
type Shell = keyof typeof shells;

export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('Print the script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(Object.keys(shells)))
    .action((shell: Shell) => console.log(shells[shell](placesOf(program))));
}

interface Word {
  word: string;
  about: string;
}

/** A command, and what can follow it. */
interface Place {
  /** Its words, each after a space; empty for `ops` itself. */
  path: string;
  commands: readonly Word[];
  options: readonly Word[];
}

function placesOf(command: Command): Place[] {
  const help = Object.assign(new Help(), { showGlobalOptions: true });
  const below = command.commands;
  const options = help.visibleOptions(command).concat(help.visibleGlobalOptions(command));
  const words = wordsOf(command);
  const place = {
    path: words === '' ? '' : ` ${words}`,
    commands: below.map((one) => ({ word: one.name(), about: one.description() })),
    options: options.flatMap(({ long, description }) => (long ? [{ word: long, about: description }] : [])),
  };
  return [place, ...below.flatMap(placesOf)];
}

const inWords = (words: readonly Word[]) => words.map(({ word }) => word).join(' ');
const quoted = (text: string) => `'${text.replace(/[\\']/g, String.raw`\$&`)}'`;

/** Where nothing fits, such as for a word that names a file, the shell completes paths. */
function bash(places: readonly Place[]): string {
  const known = places.slice(1).map(({ path }) => quoted(path));
  const following = places.map(
    ({ path, commands, options }) =>
      `    ${quoted(path)}) below=${quoted(inWords(commands))} flags=${quoted(inWords(options))} ;;`,
  );
  return `_ops() {
  local here='' word below='' flags='' current="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    case "$here $word" in
      ${known.join('|')}) here="$here $word" ;;
    esac
  done
  case "$here" in
${following.join('\n')}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "$below" -- "$current")) ;;
  esac
}
complete -o default -F _ops ops`;
}

/** zsh reads the script of bash. Its own variables, such as `path` and `options`, are no names in it. */
function zsh(places: readonly Place[]): string {
  return `autoload -Uz compinit bashcompinit\ncompinit\nbashcompinit\n${bash(places)}`;
}

function fish(places: readonly Place[]): string {
  const known = places.slice(1).map(({ path }) => quoted(path));
  const following = places.flatMap(({ path, commands, options }) => {
    const here = `complete -c ops -n ${quoted(`__ops_at ${quoted(path)}`)}`;
    return [
      ...commands.map(({ word, about }) => `${here} -f -a ${word} -d ${quoted(about)}`),
      ...options.map(({ word, about }) => `${here} -l ${word.slice(2)} -d ${quoted(about)}`),
    ];
  });
  return `function __ops_at
  set -l here ''
  for word in (commandline -opc)[2..-1]
    contains -- "$here $word" ${known.join(' ')}; and set here "$here $word"
  end
  test "$here" = "$argv[1]"
end
${following.join('\n')}`;
}

/** The words of `docker compose` that the scripts of an installation use. Any other word is an error, as a typing error is. */
import { Problem } from '../../dev/stack/problem';

/** What each command accepts before the names of services. Without a required flag, it would do more than its stand-in does. */
const commands = {
  up: { required: ['--detach', '--wait'], flags: ['--detach', '--wait', '--no-deps', '--no-recreate'], values: [] },
  run: { required: ['--rm', '--no-TTY', '--no-deps'], flags: ['--rm', '--no-TTY', '--no-deps'], values: [] },
  exec: { required: ['--no-TTY'], flags: ['--no-TTY'], values: ['--user'] },
  stop: { required: [], flags: [], values: [] },
  rm: { required: ['--stop', '--force'], flags: ['--stop', '--force'], values: [] },
  ls: { required: ['--quiet'], flags: ['--quiet'], values: [] },
} as const;

type CommandName = keyof typeof commands;

/** A parsed command. `rest`: the names of services, or one name and the words for its container. */
export interface DockerCommand {
  project: string | undefined;
  name: CommandName;
  flags: ReadonlySet<string>;
  rest: readonly string[];
}

/** Throws a message about an unknown or a missing word. */
export function parseDocker([first, ...words]: readonly string[]): DockerCommand {
  if (first !== 'compose') throw new Problem(`docker: unknown command: ${first}`);
  const project = leading(words, [], ['--project-name', '--progress']);
  const [name = '', ...others] = project.rest;
  if (!Object.hasOwn(commands, name)) throw new Problem(`docker compose: unknown command: ${name}`);
  const { required, flags: known, values } = commands[name as CommandName];
  const { flags, rest } = leading(others, known, values);
  for (const flag of required) if (!flags.has(flag)) throw new Problem(`docker compose ${name}: ${flag} is missing`);
  if (!['stop', 'ls'].includes(name) && rest.length === 0) throw new Problem(`docker compose ${name}: name a service`);
  return { project: project.values.get('--project-name'), name: name as CommandName, flags, rest };
}

/** Takes the options at the beginning. */
function leading(words: readonly string[], known: readonly string[], withValue: readonly string[]) {
  const flags = new Set<string>();
  const values = new Map<string, string>();
  let at = 0;
  for (let word = words[at]; word?.startsWith('-'); word = words[at]) {
    if (withValue.includes(word)) values.set(word, words[++at] ?? '');
    else if (known.includes(word)) flags.add(word);
    else throw new Problem(`docker: unknown flag: ${word}`);
    at++;
  }
  return { flags, values, rest: words.slice(at) };
}

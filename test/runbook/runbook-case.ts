/**
 * A case of the runbook as a test carries it out: the commands are those of the page, run in a shell as they stand, and
 * one that the test leaves out makes it fail.
 */
import { execFile } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { ROOT } from '../../dev/stack/run-directory';
import { anchorsOf, codeBlocksBelow, shellCommandsOf } from '../documents/documents';

export const runbook = 'docs/operators/runbook.md';

/** What a command did. `text` is what it printed, of both kinds. */
export interface Done {
  exitCode: number;
  stdout: string;
  text: string;
}

/** Where a command is typed: what it is told there, and as which user. */
export interface Host {
  env: NodeJS.ProcessEnv;
  user: Partial<{ uid: number; gid: number }>;
}

/** What stands in place of `<order>` and the like. */
export type Values = Readonly<Record<string, string | number>>;

/** The tests of a case; the last one fails where a command of it was not run. */
export function describeCase(
  anchor: string,
  tests: (runbookCase: RunbookCase) => void,
  environment?: () => NodeJS.ProcessEnv,
): void {
  const runbookCase = new RunbookCase(anchor, environment);
  describe(`#${anchor}`, () => {
    tests(runbookCase);
    test('When the case shows a command, then it was run', () => expect(runbookCase.untried).toEqual([]));
  });
}

export class RunbookCase {
  private readonly left: Set<string>;
  private lookedAt: number | undefined;

  constructor(
    readonly anchor: string,
    private readonly environment: () => NodeJS.ProcessEnv = () => process.env,
  ) {
    if (!anchorsOf(runbook).includes(anchor)) throw new Error(`${runbook} has no case #${anchor}`);
    this.left = new Set(commandsOf(anchor));
  }

  /** Runs a command of the case. Throws where the page does not show it, or it ends with another exit code. */
  async run(
    command: string,
    values: Values = {},
    { exitCode = 0, host }: { exitCode?: number; host?: Host } = {},
  ): Promise<Done> {
    const done = await shell(this.typed(command, values), host ?? { env: this.environment(), user: {} });
    if (done.exitCode !== exitCode) throw new Error(`${command} ended with ${done.exitCode}: ${done.text}`);
    return done;
  }

  /** A command, or statement, of the case as it is typed; it counts as done. */
  typed(command: string, values: Values = {}): string {
    if (!commandsOf(this.anchor).includes(command)) {
      throw new Error(`#${this.anchor} of ${runbook} does not show: ${command}`);
    }
    this.left.delete(command);
    return command.replace(/<([a-z ]+)>/g, (_, name: string) => {
      if (!(name in values)) throw new Error(`${command}: what is <${name}>?`);
      return String(values[name]);
    });
  }

  /** The operator begins to look. */
  startWatch(): void {
    this.lookedAt = performance.now();
  }

  /** It is mended: tells the seconds since the operator began to look. */
  stopWatch(what: string): number {
    const seconds = (performance.now() - (this.lookedAt ?? NaN)) / 1_000;
    process.stderr.write(`  stopwatch: ${what}, ${seconds.toFixed(1)} s from the first look to mended\n`);
    return seconds;
  }

  /** The trouble cannot be made on this machine: no command of the case is asked for. */
  skip(): void {
    this.left.clear();
  }

  /** Commands of the case that were not run. */
  get untried(): string[] {
    return [...this.left];
  }
}

const languages = ['sh', 'sql'];

function commandsOf(anchor: string): string[] {
  return codeBlocksBelow(runbook, anchor)
    .filter(({ language }) => languages.includes(language))
    .flatMap(({ code }) => shellCommandsOf(code));
}

function shell(command: string, { env, user }: Host): Promise<Done> {
  const cwd = user.uid === undefined ? ROOT : '/';
  return new Promise((resolve) => {
    const child = execFile('bash', ['-c', command], { cwd, env, ...user }, (_error, stdout, stderr) =>
      resolve({ exitCode: child.exitCode ?? 1, stdout, text: `${stdout}${stderr}` }),
    );
  });
}

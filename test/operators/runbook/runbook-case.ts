/**
 * A runbook case in a test. The commands come from the page and run unchanged in a shell. The test fails if it leaves
 * out a command.
 */
import { execFile } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { ROOT } from '../../../dev/stack/run-directory';
import { anchorsOf, codeBlocksBelow, shellCommandsOf } from '../../documents/documents';

export const runbook = 'docs/operators/runbook.md';

/** The result of a command. `text` is stdout and stderr together. */
export interface Done {
  exitCode: number;
  stdout: string;
  text: string;
}

/** Where a command runs: its environment and its user. */
export interface Host {
  env: NodeJS.ProcessEnv;
  user: Partial<{ uid: number; gid: number }>;
}

/** The values for placeholders such as `<order>`. */
export type Values = Readonly<Record<string, string | number>>;

/** The tests of a case. The last one fails if a command of the case was not run. */
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

  /** Runs a command of the case. Throws if the page does not show it, or if it has another exit code. */
  async run(
    command: string,
    values: Values = {},
    { exitCode = 0, host }: { exitCode?: number; host?: Host } = {},
  ): Promise<Done> {
    const done = await shell(this.typed(command, values), host ?? { env: this.environment(), user: {} });
    if (done.exitCode !== exitCode) throw new Error(`${command} ended with ${done.exitCode}: ${done.text}`);
    return done;
  }

  /** Returns a command or statement of the case with its values, and marks it as run. */
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

  /** Starts the stopwatch: the operator begins to investigate. */
  startWatch(): void {
    this.lookedAt = performance.now();
  }

  /** Stops the stopwatch after the repair. Returns the seconds since the start. */
  stopWatch(what: string): number {
    const seconds = (performance.now() - (this.lookedAt ?? NaN)) / 1_000;
    process.stderr.write(`  stopwatch: ${what}, ${seconds.toFixed(1)} s from the first command to the repair\n`);
    return seconds;
  }

  /** Skips the case because this machine cannot produce the fault. Its commands are not required. */
  skip(): void {
    this.left.clear();
  }

  /** The commands of the case that were not run. */
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

/** Runs commands of the ops CLI, any number at the same time, each alone in a process that waits for the next command. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from '../../stack/run-directory';
import type { Printed } from '../../stack/ops-process';

/** The result and the output of a command. */
export interface Outcome {
  ok: boolean;
  text: string;
}

const TIMEOUT_MS = 300_000;

/** Commands of the ops CLI. */
export interface OpsCalls {
  run: (...words: (string | number)[]) => Promise<Outcome>;
  /** Runs a command that prints rows. Throws any other output. */
  rows: <Row>(...words: (string | number)[]) => Promise<Row[]>;
}

export class OpsProcesses {
  private readonly processes = new Set<ChildProcess>();
  private readonly idle: ChildProcess[] = [];

  constructor(private readonly environment: NodeJS.ProcessEnv) {}

  /** A command that ends its process, or takes too long, has failed. */
  async run(words: readonly string[]): Promise<Outcome> {
    const child = this.idle.pop() ?? this.start();
    const done = new AbortController();
    const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
    try {
      const answered = once(child, 'message', done).then(([printed]) => printed as Printed);
      const ended = once(child, 'exit', done).then(() => undefined);
      child.send(words);
      const printed = await Promise.race([answered, ended]);
      if (!printed) return { ok: false, text: `The process ended: ${words.join(' ')}` };
      this.idle.push(child);
      const { stdout, stderr, exitCode } = printed;
      return { ok: exitCode === 0, text: stdout.trim() === '' ? stderr.trim() : stdout };
    } finally {
      clearTimeout(timer);
      done.abort();
    }
  }

  close(): void {
    for (const child of this.processes) child.kill();
  }

  private start(): ChildProcess {
    const child = fork(join(ROOT, 'dist/dev/stack/ops-process.js'), {
      env: this.environment,
      execArgv: ['--enable-source-maps'],
    });
    this.processes.add(child);
    child.once('exit', () => {
      this.processes.delete(child);
      const index = this.idle.indexOf(child);
      if (index >= 0) this.idle.splice(index, 1);
    });
    return child;
  }
}

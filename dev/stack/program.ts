/** One supervised process of the stack: started, waited for, started again when it dies, stopped. */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { removeLogs, rotate } from './log-rotation';
import { Problem } from './problem';

const START_LIMIT_MS = 90_000;
const STOP_LIMIT_MS = 15_000;
const LONGEST_PAUSE_MS = 4_000;
/** A process that ran this long before it died is started again without a growing pause. */
const SETTLED_MS = 10_000;
const DEATHS_ALLOWED_AT_START = 3;

/** How a process is run. */
export interface ProgramSpec {
  name: string;
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  log: string;
  cwd?: string;
  user?: { uid: number; gid: number };
  stopSignal?: NodeJS.Signals;
  /** Runs before every start. */
  prepare?: () => void;
  isReady: () => Promise<boolean>;
}

/** Whoever wants to know that a process came or went. */
export interface ProgramListener {
  changed(): void;
  said(line: string): void;
}

export class Program {
  private child: ChildProcess | undefined;
  private exited: Promise<void> = Promise.resolve();
  private restart: NodeJS.Timeout | undefined;
  private stopping = false;
  private endRotation: () => void = () => undefined;
  private deaths = 0;

  constructor(
    readonly spec: ProgramSpec,
    private readonly listener: ProgramListener,
  ) {}

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Starts the process and waits until it is ready. */
  async start(): Promise<void> {
    removeLogs(this.spec.log);
    this.endRotation = rotate(this.spec.log);
    this.launch();
    const deadline = Date.now() + START_LIMIT_MS;
    while (!(await this.spec.isReady().catch(() => false))) {
      if (this.stopping) return;
      if (this.deaths >= DEATHS_ALLOWED_AT_START) throw this.problem('stops again and again');
      if (Date.now() > deadline) throw this.problem(`is not ready after ${START_LIMIT_MS / 1000} s`);
      await sleep(50);
    }
  }

  /** Asks the process to end, kills it when it does not, and returns when it is gone. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.endRotation();
    clearTimeout(this.restart);
    this.child?.kill(this.spec.stopSignal ?? 'SIGTERM');
    const kill = setTimeout(() => this.child?.kill('SIGKILL'), STOP_LIMIT_MS);
    await this.exited;
    clearTimeout(kill);
  }

  private launch(): void {
    const { command, args, env, cwd, user, log, prepare } = this.spec;
    prepare?.();
    const output = openSync(log, 'a', 0o600);
    const startedAt = Date.now();
    // Its own process group: Ctrl-C reaches the supervisor alone, which stops the programs in their order.
    const child = spawn(command, args, {
      env,
      cwd,
      ...user,
      detached: true,
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    this.child = child;
    this.exited = new Promise((resolve) => {
      const gone = (reason: string): void => {
        this.child = undefined;
        resolve();
        this.died(reason, Date.now() - startedAt);
      };
      child.once('exit', (code, signal) => gone(signal ?? `exit code ${code}`));
      child.once('error', (error) => gone(error.message));
    });
    this.listener.changed();
  }

  private died(reason: string, ranMs: number): void {
    this.listener.changed();
    if (this.stopping) return;
    this.deaths = ranMs > SETTLED_MS ? 1 : this.deaths + 1;
    const pause = Math.min(200 * 2 ** (this.deaths - 1), LONGEST_PAUSE_MS);
    this.listener.said(`${this.spec.name} stopped (${reason}); starting it again.`);
    this.restart = setTimeout(() => this.launch(), pause);
  }

  private problem(what: string): Problem {
    const lines = readFileSync(this.spec.log, 'utf8').trimEnd().split('\n').slice(-5);
    return new Problem(`${this.spec.name} ${what}; the end of ${this.spec.log}:\n  ${lines.join('\n  ')}`);
  }
}

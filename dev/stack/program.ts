/**
 * A supervised process of the stack: started, restarted after it dies, stopped. Its logs stay small.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from './problem';

const START_LIMIT_MS = 90_000;
const STOP_LIMIT_MS = 15_000;
const MAX_PAUSE_MS = 4_000;
/** After this run time a process that dies is restarted without a growing pause. */
const SETTLED_MS = 10_000;
const DEATHS_ALLOWED_AT_START = 3;

/** How to run a process. */
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

/** Receives the starts and ends of a process, and its messages. */
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
  private hasBeenReady = false;

  constructor(
    readonly spec: ProgramSpec,
    private readonly listener: ProgramListener,
  ) {}

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /**
   * Starts the process and waits until it is ready. Throws a `Problem`, and stops it, if it ends three times before, or is not ready in
   * time.
   */
  async start(): Promise<void> {
    removeLogs(this.spec.log);
    this.endRotation = rotate(this.spec.log);
    this.launch();
    try {
      await this.becomeReady();
      this.hasBeenReady = true;
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  private async becomeReady(): Promise<void> {
    const deadline = Date.now() + START_LIMIT_MS;
    while (!(await this.spec.isReady().catch(() => false))) {
      if (this.stopping) return;
      if (this.deaths >= DEATHS_ALLOWED_AT_START) throw this.problem('stops repeatedly');
      if (Date.now() > deadline) throw this.problem(`is not ready after ${START_LIMIT_MS / 1000} s`);
      await sleep(50);
    }
  }

  /** Stops the process, and kills it after a time limit. Returns once it has ended. */
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
    // A separate process group: Ctrl-C reaches only the supervisor, which stops the programs in order.
    const child = spawn(command, args, { env, cwd, ...user, detached: true, stdio: ['ignore', output, output] });
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
    // On a slow machine, a process that cannot start may take long to end.
    this.deaths = this.hasBeenReady && ranMs > SETTLED_MS ? 1 : this.deaths + 1;
    const [lastLine] = this.endOfLog(1);
    const message = lastLine ? `: ${lastLine}` : '';
    if (!this.hasBeenReady && this.deaths >= DEATHS_ALLOWED_AT_START)
      return this.listener.said(`${this.spec.name} stopped (${reason})${message}`);
    const pause = Math.min(200 * 2 ** (this.deaths - 1), MAX_PAUSE_MS);
    this.listener.said(`${this.spec.name} stopped (${reason}); starting it again${message}`);
    this.restart = setTimeout(() => this.launch(), pause);
  }

  private problem(what: string): Problem {
    const lines = this.endOfLog(5).join('\n  ');
    return new Problem(`${this.spec.name} ${what}; the end of ${this.spec.log}:\n  ${lines}`);
  }

  private endOfLog(lines: number): string[] {
    return readFileSync(this.spec.log, 'utf8').trimEnd().split('\n').slice(-lines);
  }
}

/** The size limit of a log, and the number of full logs that are kept. */
const MOST = { bytes: 20 * 1024 * 1024, files: 3 };
const CHECK_EVERY_MS = 5_000;

/** Rotates a log to which its program appends: a full one becomes `<name>.1`. Returns the function that ends it. */
export function rotate(log: string, most = MOST, checkEveryMs = CHECK_EVERY_MS): () => void {
  const timer = setInterval(() => rotateIfFull(log, most), checkEveryMs).unref();
  return () => clearInterval(timer);
}

/** Moves the content and keeps the file, because the program holds it open. */
function rotateIfFull(log: string, { bytes, files }: typeof MOST): void {
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) < bytes) return;
  for (let number = files - 1; number > 0; number--) {
    if (existsSync(`${log}.${number}`)) renameSync(`${log}.${number}`, `${log}.${number + 1}`);
  }
  copyFileSync(log, `${log}.1`);
  truncateSync(log);
}

/** Removes a log and its rotated ones. */
export function removeLogs(log: string, files = MOST.files): void {
  rmSync(log, { force: true });
  for (let number = 1; number <= files; number++) rmSync(`${log}.${number}`, { force: true });
}

/** A stack in this process, whose programs a test stops and starts one by one, as operators do. */
import { callControl } from '../../../dev/stack/controls';
import { Stack } from '../../../dev/stack/stack';
import { freePorts } from '../../../dev/stack/ports';
import { readStackFile } from '../../../dev/stack/launch';
import { RunDirectory } from '../../../dev/stack/run-directory';
import { readSettings } from '../../../dev/stack/settings';
import type { StackFile } from '../../../dev/stack/stack-file';

export class OperatedStack {
  private constructor(
    private readonly stack: Stack,
    readonly directory: RunDirectory,
    /** The environment of its programs and of the ops CLI. */
    readonly environment: NodeJS.ProcessEnv,
  ) {}

  /** Starts a new stack under a unique name. All of `test/support` then uses it in this file. */
  static async start(name: string, settings: NodeJS.ProcessEnv = {}): Promise<OperatedStack> {
    for (const [port, number] of Object.entries(await freePorts())) process.env[port] = String(number);
    // These would be shared with another stack.
    delete process.env['DATABASE_URL'];
    delete process.env['TEMPORAL_ADDRESS'];
    Object.assign(process.env, { LOG_LEVEL: 'info' }, settings, { RUN_DIR: `.run/test/runbook-${name}` });
    const stack = await Stack.open({ fresh: true, inspect: false, say: () => undefined });
    await stack.start();
    const directory = new RunDirectory();
    process.env['STACK_FILE'] = directory.file('stack.json');
    const { environment } = readSettings(directory, process.env);
    return new OperatedStack(stack, directory, environment);
  }

  /** The current content of the stack's `stack.json`. */
  get now(): StackFile {
    return readStackFile(this.directory.file('stack.json'));
  }

  /** Stops these programs, one after the other. */
  async halt(...programs: string[]): Promise<void> {
    for (const program of programs) await this.stack.stopProgram(program);
  }

  /** Starts stopped programs. Returns once they are ready. */
  async resume(programs: readonly string[], settings: NodeJS.ProcessEnv = {}): Promise<void> {
    for (const program of programs) await this.stack.startProgram(program, settings);
  }

  /** Restarts a program with another database: each of its roles. */
  async moveDatabase(program: string, moved: (url: string) => string): Promise<void> {
    await this.stack.stopProgram(program);
    const there: NodeJS.ProcessEnv = {};
    for (const [setting, url] of Object.entries(this.stack.environmentOf(program)))
      if (setting.endsWith('DATABASE_URL') && url !== undefined) there[setting] = moved(url);
    await this.stack.startProgram(program, there);
  }

  /** Kills a program with SIGKILL and does not restart it. */
  async kill(program: string): Promise<void> {
    const pid = this.now.pids[program] as number;
    const halted = this.stack.stopProgram(program);
    process.kill(pid, 'SIGKILL');
    await halted;
  }

  /** One of the simulator's controls. */
  control(path: string, body?: unknown, method = 'POST'): Promise<void> {
    return callControl(this.now.simulator_url, method, path, body);
  }

  stop(): Promise<void> {
    return this.stack.stop();
  }
}

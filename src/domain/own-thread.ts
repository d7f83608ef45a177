/** Work on a thread of its own: what takes the processor for long must not hold up all else in the process. */
import { parentPort, Worker } from 'node:worker_threads';

interface Waiting<Result> {
  resolve: (result: Result) => void;
  reject: (error: Error) => void;
}

/**
 * One thread of this process, begun with the first job, which does one job after the other. `script`: a compiled file
 * that calls `serveJobs`. A job that throws ends the thread, and fails with all that wait; the next has another thread.
 */
export class OwnThread<Job, Result> {
  private thread: Worker | undefined;
  /** The jobs it has, in their order. */
  private waiting: Waiting<Result>[] = [];

  constructor(private readonly script: string) {}

  run(job: Job): Promise<Result> {
    const thread = (this.thread ??= this.begin());
    return new Promise<Result>((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      // The process does not end before its jobs.
      thread.ref();
      thread.postMessage(job);
    });
  }

  private begin(): Worker {
    const thread = new Worker(this.script);
    thread.on('message', (result: Result) => {
      this.waiting.shift()?.resolve(result);
      if (this.waiting.length === 0) thread.unref();
    });
    // It comes before `exit`, and not where the thread just ends.
    thread.on('error', (error: Error) => this.ended(error));
    thread.on('exit', () => this.thread === thread && this.ended(new Error('The thread has ended')));
    return thread;
  }

  private ended(error: Error): void {
    const failed = this.waiting;
    this.thread = undefined;
    this.waiting = [];
    for (const { reject } of failed) reject(error);
  }
}

/** Does the jobs of the thread that this runs in. `moved`: memory of a result that is handed over instead of copied. */
export function serveJobs<Job, Result>(
  work: (job: Job) => Result,
  moved: (result: Result) => readonly ArrayBuffer[],
): void {
  parentPort?.on('message', (job: Job) => {
    const result = work(job);
    parentPort?.postMessage(result, moved(result));
  });
}

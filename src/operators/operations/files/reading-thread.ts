/**
 * The thread that reads files, one after the other. A file that takes too long or too much memory ends its thread, and nothing else: the
 * next file gets a new one. docs/decisions/0094-read-files-in-a-thread.md.
 */
import { join } from 'node:path';
import { Piscina } from 'piscina';
import { ConcurrencyLimiter } from '../../../async/concurrency-limiter';
import { cpuTimeOf } from '../../../async/system-threads';
import { errors } from '../../../domain/errors';
import { minute } from '../../../domain/time';
import { InvalidArgument, type GivenFile } from '../arguments';
import type { FileContent, FileKind, FileSettings } from './file-kinds';
import type { ReadJob, ReadResult } from './read-on-thread';

/**
 * What a file may take. The time is that of the CPU, so a good file is also read while the machine is busy. The heap is the sum of both
 * generations; the bytes of the file itself do not count.
 */
const LIMITS = { ms: 10_000, heapMiB: 128 };

/** The part of the heap for short-lived objects. */
const YOUNG_MIB = 16;

/** How long a file waits for those before it, and how long it may take where nobody measures the CPU. */
const MAX_WAIT_MS = minute;

/** How often the time is measured. */
const MEASURE_MS = 100;

/** Aborts its signal when a thread has used its time. */
class ThreadClock {
  /** The thread writes its number here. */
  readonly thread = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  private readonly control = new AbortController();
  private readonly began = performance.now();
  private before: number | undefined;
  private readonly checks: NodeJS.Timeout;

  constructor(private readonly maxMs: number) {
    this.checks = setInterval(() => void this.check(), MEASURE_MS);
  }

  get signal(): AbortSignal {
    return this.control.signal;
  }

  stop(): void {
    clearInterval(this.checks);
  }

  private async check(): Promise<void> {
    const used = await cpuTimeOf(this.thread[0] ?? 0);
    this.before ??= used;
    const isLate = used !== undefined && used - (this.before ?? used) > this.maxMs;
    if (isLate || performance.now() - this.began > MAX_WAIT_MS) this.control.abort();
  }
}

/** Reads files, one after the other. */
export class ReadingThread {
  private readonly thread: Piscina<ReadJob, ReadResult>;
  private readonly turns = new ConcurrencyLimiter({ maxPerOwner: 1 });

  constructor(private readonly limits: typeof LIMITS = LIMITS) {
    this.thread = new Piscina({
      filename: join(__dirname, 'read-on-thread.js'),
      name: 'readOnThread',
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: minute,
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMiB - YOUNG_MIB, maxYoungGenerationSizeMb: YOUNG_MIB },
    });
  }

  /** As `UploadedFile.read`. Throws 503 if the file waits too long for those before it. */
  async read<Kind extends FileKind>(
    kind: Kind,
    file: GivenFile,
    settings: FileSettings<Kind>,
  ): Promise<FileContent<Kind>> {
    const turn = await this.turns.acquire({ owner: 'files' }, MAX_WAIT_MS);
    if (!turn) throw errors.tooManyCalls();
    const { ms, heapMiB } = this.limits;
    const clock = new ThreadClock(ms);
    try {
      const { thread, signal } = clock;
      const result = await this.thread.run({ kind, file, settings, thread }, { signal });
      if ('fault' in result) throw new InvalidArgument(result.fault);
      // The thread has used the reader of this kind.
      return result.content as FileContent<Kind>;
    } catch (error) {
      if (!isBeyondLimits(error)) throw error;
      throw new InvalidArgument(`${file.name} cannot be read within ${ms / 1_000} s and ${heapMiB} MB`);
    } finally {
      clock.stop();
      turn.release();
    }
  }

  async close(): Promise<void> {
    await this.thread.destroy();
  }
}

/** The thread of this process. It begins with the first file. */
export const readingThread = new ReadingThread();

function isBeyondLimits(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'AbortError' || ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY');
}

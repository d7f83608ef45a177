/** The packages and examples for clients. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pause } from '../../async/promises';
import { errors } from '../../domain/errors';
import { type PageFile, readFiles } from '../../page-files/page-files';

/** The build writes it when all others are there: dev/scripts/downloads.mjs. */
const COMPLETE = '.complete';
const LONGEST_WAIT_MS = 60_000;
const POLL_MS = 200;

export class Downloads {
  private complete: ReadonlyMap<string, PageFile> | undefined;

  /** `stopping`: ends all waits. */
  constructor(
    private readonly folder: string,
    private readonly stopping: AbortSignal,
    private readonly longestWaitMs = LONGEST_WAIT_MS,
  ) {}

  /**
   * The file of the name; undefined if there is none. A local stack makes the files after it is ready: while it does, this waits for
   * the file. After a minute it throws a 503, after which npm and pip try again.
   */
  async find(name: string): Promise<PageFile | undefined> {
    const end = performance.now() + this.longestWaitMs;
    for (;;) {
      const file = this.present().get(name);
      if (file || this.complete) return file;
      if (performance.now() >= end || !(await pause(POLL_MS, this.stopping))) throw errors.serviceUnavailable();
    }
  }

  private present(): ReadonlyMap<string, PageFile> {
    if (this.complete) return this.complete;
    if (!existsSync(this.folder)) return new Map();
    const isComplete = existsSync(join(this.folder, COMPLETE));
    const files = readFiles(this.folder);
    if (isComplete) this.complete = files;
    return files;
  }
}

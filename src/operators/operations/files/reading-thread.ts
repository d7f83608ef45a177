/**
 * The thread that reads files, one after the other. A file that takes too long or too much memory ends its thread, and nothing else: the
 * next file gets a new one. docs/decisions/0094-read-files-in-a-thread.md.
 */
import { join } from 'node:path';
import { Piscina } from 'piscina';
import { ConcurrencyLimiter } from '../../../async/concurrency-limiter';
import { errors } from '../../../domain/errors';
import { minute } from '../../../domain/time';
import { InvalidArgument, type GivenFile } from '../arguments';
import type { FileContent, FileKind, FileSettings } from './file-kinds';
import type { ReadJob, ReadResult } from './read-on-thread';

/** What a file may take. The heap is the sum of both generations; the bytes of the file itself do not count. */
const LIMITS = { ms: 10_000, heapMiB: 128, youngMiB: 16 };

/** How long a file waits for those before it. */
const MAX_WAIT_MS = minute;

const thread = new Piscina<ReadJob, ReadResult>({
  filename: join(__dirname, 'read-on-thread.js'),
  name: 'readOnThread',
  minThreads: 0,
  maxThreads: 1,
  idleTimeout: minute,
  resourceLimits: {
    maxOldGenerationSizeMb: LIMITS.heapMiB - LIMITS.youngMiB,
    maxYoungGenerationSizeMb: LIMITS.youngMiB,
  },
});

const turns = new ConcurrencyLimiter({ maxPerOwner: 1 });

/** As `UploadedFile.read`. Throws 503 if the file waits too long for those before it. */
export async function readInThread<Kind extends FileKind>(
  kind: Kind,
  file: GivenFile,
  settings: FileSettings<Kind>,
): Promise<FileContent<Kind>> {
  const turn = await turns.acquire({ owner: 'files' }, MAX_WAIT_MS);
  if (!turn) throw errors.tooManyCalls();
  try {
    const result = await thread.run({ kind, file, settings }, { signal: AbortSignal.timeout(LIMITS.ms) });
    if ('fault' in result) throw new InvalidArgument(result.fault);
    // The thread has used the reader of this kind.
    return result.content as FileContent<Kind>;
  } catch (error) {
    throw isBeyondLimits(error)
      ? new InvalidArgument(
          `${file.name} cannot be read within ${LIMITS.ms / 1_000} s and ${LIMITS.heapMiB} MB`,
        )
      : error;
  } finally {
    turn.release();
  }
}

function isBeyondLimits(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'AbortError' || ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY');
}

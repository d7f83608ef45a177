/** Calls whose arguments have files: how their bodies are read, and what they may hold. docs/operators/api.md. */
import type { Request } from 'express';
import { BodyMemory, readJsonWithFiles } from '../../http/file-body';
import { allowSlowBody } from '../../http/slow-bodies';
import type { Given } from '../operations/arguments';
import { givenIn } from '../operations/json-arguments';
import type { Operation } from '../operations/operation';
import type { Caller } from './calls';
import type { Turns } from './turns';

/** The largest body of a call, and the rest of one with a file. Its arguments are words and short texts. */
export const MAX_BODY_BYTES = 16 * 1024;

/** The largest files of the operation together; 0 if it takes none. */
export function maxFileBytesOf({ arguments: described }: Pick<Operation, 'arguments'>): number {
  return Object.values(described).reduce((sum, { maxBytes = 0 }) => sum + maxBytes, 0);
}

/** What the files of all calls together may take, from the first byte of their bodies to the end of the calls. */
const MAX_FILES_BYTES = 96 * 2 ** 20;

const memory = new BodyMemory(MAX_FILES_BYTES);

/**
 * Does the work with the arguments in the body, which has files. Throws 413 if it is larger than the operation takes, 408 if it arrives
 * too slowly, and 503 if the files of all calls together take too much. It is read before the call takes its turn, so that nobody waits for
 * a slow one.
 */
export async function withFiles(
  turns: Turns,
  operation: Operation,
  { caller, request }: { caller: Caller; request: Request },
  work: (given: Given) => Promise<void>,
): Promise<void> {
  allowSlowBody(request);
  const turn = await turns.files.begin(caller.id);
  const { take, release } = memory.share();
  try {
    const limits = { maxBytes: MAX_BODY_BYTES, maxFileBytes: maxFileBytesOf(operation), take };
    await work(givenIn(operation.arguments, (await readJsonWithFiles(request, limits)) ?? {}));
  } finally {
    release();
    turn.release();
  }
}

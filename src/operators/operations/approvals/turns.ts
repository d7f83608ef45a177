/** Operations of one person that wait for each other: those that rules of approval count, and decisions about proposals. */
import { ConcurrencyLimiter } from '../../../async/concurrency-limiter';
import { errors } from '../../../domain/errors';
import { minute } from '../../../domain/time';
import type { Context } from '../context';

/** An import of 10,000 refunds takes less. */
const MAX_WAIT_MS = minute;

/** One at a time for each person. */
const turns = new ConcurrencyLimiter({ maxPerOwner: 1 });

/**
 * Runs the work when the person's earlier work in this process has ended. The database makes it wait, too (`lockCounting`), but there it
 * would wait with a connection, and a few calls of one person would take every connection of the process. Throws after a minute.
 */
export async function inTurn<Result>(
  { account }: Pick<Context, 'account'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const turn = await turns.acquire({ owner: account.accountable }, MAX_WAIT_MS);
  if (!turn) throw errors.tooManyCalls();
  try {
    return await work();
  } finally {
    turn.release();
  }
}

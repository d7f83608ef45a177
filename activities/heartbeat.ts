import { heartbeat } from '@temporalio/activity';

/** Milliseconds between two signs of life; the SDK passes on as many as the heartbeat time-out needs. */
const HEARTBEAT_EVERY = 3_000;

/** Shows that the activity's worker lives until the work is done. How long the work may take is the activity's own limit. */
export async function withHeartbeat<Result>(
  work: () => Promise<Result>,
  details: () => unknown = () => undefined,
): Promise<Result> {
  const beat = setInterval(() => heartbeat(details()), HEARTBEAT_EVERY);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
}

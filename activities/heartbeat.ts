import { heartbeat } from '@temporalio/activity';

/** Milliseconds between two signs of life; the SDK passes on as many as the heartbeat time-out needs. */
const HEARTBEAT_INTERVAL_MS = 3_000;

/**
 * Sends heartbeats until the work is done. How long the work may take is limited by the activity's options.
 * `details`: what the next attempt finds where this one's worker dies.
 */
export async function withHeartbeat<Result>(
  work: () => Promise<Result>,
  details: () => unknown = () => undefined,
): Promise<Result> {
  const beat = setInterval(() => heartbeat(details()), HEARTBEAT_INTERVAL_MS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
}

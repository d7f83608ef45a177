import { heartbeat } from '@temporalio/activity';

/** Milliseconds between two heartbeats. The SDK throttles them. */
const HEARTBEAT_INTERVAL_MS = 3_000;

/** Sends heartbeats until the work is done. The activity's options limit its duration. */
export async function withHeartbeat<Result>(work: () => Promise<Result>): Promise<Result> {
  const beat = setInterval(() => heartbeat(), HEARTBEAT_INTERVAL_MS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
}

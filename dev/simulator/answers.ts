/** How the simulator answers the calls of a buyer: as it should, late, cut in half, or not at all. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'express';
import { errorReply, HttpError, type Reply } from './http';
import type { Call, Modes } from './modes';

/** Why a call is left without an answer: silence until the caller gives up, or a connection that breaks. */
export type NoAnswer = 'silence' | 'reset';

/** Does the work, which must not wait for anything, and answers with its outcome as the modes want it. */
export async function answer(
  response: Response,
  call: Call,
  modes: Modes,
  work: () => Reply | NoAnswer,
): Promise<void> {
  const outcome = modes.account_blocked?.on.includes(call)
    ? errorReply(accountBlocked(modes.account_blocked.status), response.req)
    : attempt(response, work);
  if (outcome === 'reset') return void response.socket?.resetAndDestroy();
  if (outcome === 'silence' || modes.silent?.includes(call)) return;
  const delayMs = modes.delay_ms?.[call];
  if (delayMs !== undefined) await sleep(delayMs, undefined, { ref: false });
  send(response, outcome, modes.half_json?.includes(call) ?? false);
}

/** The refusal of a buyer whose account is blocked. */
export function accountBlocked(status: 402 | 403): HttpError {
  return new HttpError(status, 'ACCOUNT_BLOCKED', 'The account is blocked.');
}

function attempt({ req: request }: Response, work: () => Reply | NoAnswer): Reply | NoAnswer {
  try {
    return work();
  } catch (thrown) {
    return errorReply(thrown, request);
  }
}

function send(response: Response, { status, headers, body }: Reply, half: boolean): void {
  const text = JSON.stringify(body);
  const sent = half ? text.slice(0, Math.floor(text.length / 2)) : text;
  response
    .status(status)
    .set(headers ?? {})
    .type('json')
    .send(sent);
}

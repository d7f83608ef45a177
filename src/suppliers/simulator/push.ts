/** The simulator's signed pushes. */
import { isSigned } from '../kit/signature';
import type { PushHint } from '../port';
import { readPush } from './messages';

/** How far a push's timestamp may lie from now, so that a recorded one is soon worthless. */
const toleranceMs = 5 * 60_000;

/**
 * The hint of a push whose `x-simulator-signature` is the hexadecimal HMAC-SHA256 of
 * `<x-simulator-timestamp>.<raw body>` and whose timestamp, in seconds, is at most 5 minutes off.
 */
export function verifyPush(
  secret: string,
  headers: Readonly<Record<string, string | undefined>>,
  rawBody: Buffer,
): PushHint | undefined {
  const timestamp = headers['x-simulator-timestamp'] ?? '';
  const shown = headers['x-simulator-signature'] ?? '';
  if (!/^\d{1,12}$/.test(timestamp)) return undefined;
  if (Math.abs(Date.now() - Number(timestamp) * 1_000) > toleranceMs) return undefined;
  const signed = [`${timestamp}.`, rawBody];
  if (!isSigned({ algorithm: 'sha256', secret, signed, shown, encoding: 'hex' })) return undefined;
  return readPush(parse(rawBody));
}

function parse(rawBody: Buffer): unknown {
  try {
    return JSON.parse(rawBody.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

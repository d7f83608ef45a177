/** The second factor: its limits, the single use of a code, and the session that it opens. */
import type { Request, Response } from 'express';
import { beginSecondFactor, endSecondFactor, takeCode } from '../data/identity/second-factor-limits';
import { recordSecondFactor, type LiveIdentitySession } from '../data/identity/people-sessions';
import type { CallerDependencies } from './callers';
import { asEntry } from './entry';
import { callLibrary, passCookies } from './library-calls';
import { browserIsKnown, lockedOut, signInOrigin, recordEvent, secondFactorAdded } from './sign-in-events';
import { keyedHash } from './tokens';

export type SecondFactorResult = 'given' | 'wrong' | 'locked';

/**
 * Checks a code of the authenticator, or a recovery code, of the session's person. Wrong codes are counted for the person, whatever
 * the session and address: after five, every code is rejected for 15 minutes. A code is accepted once.
 */
export async function checkSecondFactor(
  deps: CallerDependencies,
  request: Request,
  session: LiveIdentitySession,
  given: string,
): Promise<SecondFactorResult> {
  const { pool, library, settings } = deps;
  const { personId } = session;
  const attempt = await beginSecondFactor(pool, personId);
  if (!attempt) return 'locked';
  const code = given.replace(/\s/g, '');
  const isTotp = /^\d{6}$/.test(code);
  const path = isTotp ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code';
  const { ok } = await callLibrary(library, settings, request, path, { body: { code } });
  const isNew = ok && (!isTotp || (await takeCode(pool, personId, keyedHash(settings.secret, 'second-factor', code))));
  if (!isNew) return wrong(deps, request, session, attempt);
  await endSecondFactor(pool, personId);
  return 'given';
}

/** Records a wrong code. */
async function wrong(
  deps: CallerDependencies,
  request: Request,
  { email, name: actor }: LiveIdentitySession,
  { isLast }: { isLast: boolean },
): Promise<'wrong'> {
  await recordEvent(deps, signInOrigin(request), { event: 'second_factor.rejected', email, actor });
  if (isLast) await lockedOut(deps, request, { email, by: 'second_factor' });
  return 'wrong';
}

/** Like `checkSecondFactor`, and notes the time in the session, or in another one of the same person, such as that of the ops CLI. */
export async function giveSecondFactor(
  deps: CallerDependencies,
  request: Request,
  session: LiveIdentitySession,
  { code, sessionId }: { code: string; sessionId: string },
): Promise<SecondFactorResult> {
  const result = await checkSecondFactor(deps, request, session, code);
  if (result !== 'given') return result;
  if (sessionId === session.id) await browserIsKnown(deps, request, session);
  const { personId } = session;
  return (await recordSecondFactor(deps.pool, { id: sessionId, personId })) ? 'given' : 'wrong';
}

/** A new second factor that the person has not confirmed yet. */
export interface NewSecondFactor {
  /** For the authenticator: `otpauth://...`. */
  uri: string;
  recoveryCodes: readonly string[];
}

/** Makes a secret and recovery codes for a person without a second factor. Undefined if the person has one. */
export async function makeSecondFactor(
  { library, settings }: CallerDependencies,
  request: Request,
): Promise<NewSecondFactor | undefined> {
  const { ok, body } = await callLibrary(library, settings, request, '/two-factor/enable', { body: {} });
  const { totpURI: uri, backupCodes } = body;
  if (!ok || typeof uri !== 'string' || !Array.isArray(backupCodes)) return undefined;
  return { uri, recoveryCodes: backupCodes.map(String) };
}

/** Confirms a new second factor with its first code. The session gets another token, and keeps its end. */
export async function confirmSecondFactor(
  deps: CallerDependencies,
  request: Request,
  response: Response,
  session: LiveIdentitySession,
  given: string,
): Promise<SecondFactorResult> {
  const { pool, library, settings } = deps;
  const attempt = await beginSecondFactor(pool, session.personId);
  if (!attempt) return 'locked';
  const code = given.replace(/\s/g, '');
  const { kind, machine, expiresAt } = session;
  const next = { kind, expiresAt, secondFactorAt: new Date(), ...(machine !== null && { machine }) };
  const confirmed = await asEntry({ session: next, isContinued: true }, () =>
    callLibrary(library, settings, request, '/two-factor/verify-totp', { body: { code } }),
  );
  if (!confirmed.ok) return wrong(deps, request, session, attempt);
  await takeCode(pool, session.personId, keyedHash(settings.secret, 'second-factor', code));
  await endSecondFactor(pool, session.personId);
  await browserIsKnown(deps, request, session);
  await secondFactorAdded(deps, request, session);
  passCookies(response, confirmed);
  return 'given';
}

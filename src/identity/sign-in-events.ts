/** Records what happens at the sign-in: in the audit, in the metrics, and in mails to the person. docs/operators/people.md#what-is-recorded. */
import type { Request } from 'express';
import { browserName } from '../domain/browser-name';
import { shownLine } from '../domain/shown-text';
import { isKnownDevice, rememberDevice } from '../data/identity/known-devices';
import { findPersonById } from '../data/identity/people';
import type { IdentityConnection } from '../data/identity/identity-pool';
import { recordSignInEvent, type SignInEvent, type SignInEventName } from '../data/identity/sign-in-events';
import type { LiveIdentitySession } from '../data/identity/people-sessions';
import type { Mail } from '../notifications/mail/send';
import { browserOf, networkOfBrowser } from './devices';
import { presentEntry } from './entry';
import { newDeviceMail, newSecondFactorMail, lockOutMail, type LockOut } from './mails';
import { lacksSecondFactor } from './demanded-second-factor';
import type { DoorDependencies } from './settings';

/** From where a request comes. */
export type Origin = Pick<SignInEvent, 'address' | 'requestId'>;

export function signInOrigin(request: Request): Origin {
  return { address: request.ip ?? null, requestId: request.res?.get('X-Request-Id') ?? null };
}

const nowhere: Origin = { address: null, requestId: null };

/** Counts an event that concerns no person who is known, such as a guess for an address without a code. */
export function countEvent({ pool }: { pool: IdentityConnection }, event: SignInEventName): Promise<void> {
  const unknown = { email: null, actor: null, sessionId: null, door: 'PAGE', details: {} } as const;
  return recordSignInEvent(pool, { event, ...unknown, ...nowhere });
}

interface Happened extends Partial<Pick<SignInEvent, 'actor' | 'sessionId' | 'door' | 'details'>> {
  event: SignInEventName;
  email: string;
}

/** Counts and audits an event about a person. */
export function recordEvent(
  { pool }: Pick<DoorDependencies, 'pool'>,
  origin: Origin,
  { actor = null, sessionId = null, door = 'PAGE', details = {}, ...happened }: Happened,
): Promise<void> {
  return recordSignInEvent(pool, { ...happened, actor, sessionId, door, details, ...origin });
}

/** Mails the person. Nothing waits for the mail server, and the audit has the event. */
function tell({ mailer, log }: DoorDependencies, mail: Mail): void {
  mailer.sendMail(mail).catch((err: unknown) => {
    log.error({ err }, 'A mail about the security of a person could not be sent');
  });
}

/** A session that the library has just begun. */
interface BegunSession {
  id: string;
  userId: string;
  userAgent?: string | null | undefined;
}

/**
 * Records a sign-in, and a device that the person has never used. The device is known from now on; in a browser that still needs the
 * second factor, from then on (`browserIsKnown`).
 */
export async function signedIn(deps: DoorDependencies, session: BegunSession): Promise<void> {
  const { settings, pool, log } = deps;
  const { id: sessionId, userId: personId } = session;
  const { session: { kind = 'BROWSER', machine = '', secondFactorAt = null } = {}, signIn } = presentEntry();
  const { origin = nowhere, deviceHash } = signIn ?? {};
  log.info({ person: personId, session: sessionId, kind }, 'A person signed in');
  const person = await findPersonById(pool, personId);
  if (!person) return;
  const { email, name: actor, hasSecondFactor } = person;
  const door = kind === 'CLI' ? 'CLI' : 'PAGE';
  const shown = kind === 'CLI' ? `ops CLI on ${shownLine(machine)}` : browserName(session.userAgent ?? '');
  const details = { device: shown };
  await recordEvent(deps, origin, { event: 'session.started', email, actor, sessionId, door, details });
  if (!deviceHash) return;
  const isKnown = await isKnownDevice(pool, { personId, deviceHash });
  if (!lacksSecondFactor(settings, { email, hasSecondFactor, secondFactorAt }))
    await rememberDevice(pool, { personId, deviceHash });
  if (isKnown) return;
  await recordEvent(deps, origin, { event: 'device.added', email, actor, door, details });
  tell(deps, newDeviceMail(settings, email, { device: shown, address: origin.address ?? 'unknown' }));
}

/** Notes that the person has signed in in the browser of the request, after the second factor. */
export async function browserIsKnown(
  { settings, pool }: Pick<DoorDependencies, 'settings' | 'pool'>,
  request: Request,
  { personId, kind }: Pick<LiveIdentitySession, 'personId' | 'kind'>,
): Promise<void> {
  const deviceHash = browserOf(settings, request);
  if (deviceHash && kind === 'BROWSER') await rememberDevice(pool, { personId, deviceHash });
}

/** Records that the person has a new second factor. */
export async function secondFactorAdded(
  deps: DoorDependencies,
  request: Request,
  { email, name: actor }: Pick<LiveIdentitySession, 'email' | 'name'>,
): Promise<void> {
  await recordEvent(deps, signInOrigin(request), { event: 'second_factor.added', email, actor });
  tell(deps, newSecondFactorMail(deps.settings, email));
}

/** Records that too many codes were wrong, and mails the person what to do. */
export async function lockedOut(
  deps: DoorDependencies,
  request: Request,
  { email, by }: { email: string; by: LockOut },
): Promise<void> {
  const network = networkOfBrowser(request);
  const details = by === 'network' ? { by, network } : { by };
  await recordEvent(deps, signInOrigin(request), { event: 'sign_in.locked', email, details });
  tell(deps, lockOutMail(deps.settings, email, { by, network }));
}

/** Records the end of a session by a person. */
export async function sessionEnded(
  deps: Pick<DoorDependencies, 'pool'>,
  request: Request,
  { name: actor, kind }: Pick<LiveIdentitySession, 'name' | 'kind'>,
  { id: sessionId, email }: { id: string; email: string },
): Promise<void> {
  const door = kind === 'CLI' ? 'CLI' : 'PAGE';
  await recordEvent(deps, signInOrigin(request), { event: 'session.ended', email, actor, sessionId, door });
}

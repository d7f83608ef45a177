/** Who makes a request: a person through a session, or a service account. */
import type { Request } from 'express';
import { isAllowedAddress } from '../domain/clients/networks';
import { isRole, type Role } from '../domain/operators/roles';
import { useServiceAccount } from '../data/identity/service-accounts';
import { useSession, type LiveIdentitySession, type SessionKind } from '../data/identity/people-sessions';
import type { Library } from './library';
import { sessionHeaders } from './library-calls';
import { demandsSecondFactor, lacksSecondFactor, SECOND_FACTOR_MINUTES } from './demanded-second-factor';
import type { DoorDependencies } from './settings';
import { isServiceToken, tokenHash } from './tokens';

/** Who may use operations. */
export interface Person {
  id: string;
  name: string;
  /** Of a service account: its name. */
  email: string;
  role: Role;
  kind: 'PERSON' | 'SERVICE';
  /** Whose session it is: a browser's, or that of the ops CLI. Absent for a service account. */
  sessionKind?: SessionKind;
  /** When the person gave the second factor in this session. */
  secondFactorAt: Date | undefined;
  hasSecondFactor: boolean;
  /** Whether a change asks for the second factor again, because it was given too long ago. */
  needsSecondFactor: boolean;
  /** Of a service account: the only operations that it may use. */
  operations?: readonly string[];
  /** Of a service account: the only networks that it may call from, which are checked. Empty: all. */
  networks?: readonly string[];
  expiresAt?: Date;
  /** Of a service account: the name of the person who created it, and answers for what it does. */
  owner?: string;
  /** Of a service account: the person who created it. Null if the account has no owner. */
  ownerId?: string | null;
  sessionId: string;
}

export interface CallerDependencies extends DoorDependencies {
  library: Library;
}

/**
 * The header of a call that a page makes without its person, such as a poll: `X-Background-Request: true`. It does not extend the
 * session, so an open page cannot keep its session from resting. Calls that follow from a click or a key do not have it.
 */
const BACKGROUND_HEADER = 'X-Background-Request';

export interface SessionUse {
  /** Whether the call does not extend the session. Default: whether it has the header `X-Background-Request: true`. */
  isBackground?: boolean;
}

/** The live session of the request, also before the second factor. Undefined without one. */
export async function liveSessionOf(
  { library, pool, settings }: CallerDependencies,
  request: Request,
  { isBackground = request.get(BACKGROUND_HEADER) === 'true' }: SessionUse = {},
): Promise<LiveIdentitySession | undefined> {
  const headers = new Headers();
  for (const name of sessionHeaders) {
    const value = request.get(name);
    if (value !== undefined) headers.set(name, value);
  }
  const found = await library.api.getSession({ headers });
  if (!found) return undefined;
  const { restMinutes } = settings;
  return useSession(pool, found.session.id, { restMinutes, secondFactorMinutes: SECOND_FACTOR_MINUTES, isBackground });
}

/** The live session of the request, after the second factor. Undefined without one. */
export async function wholeSessionOf(
  deps: CallerDependencies,
  request: Request,
  options?: SessionUse,
): Promise<LiveIdentitySession | undefined> {
  const session = await liveSessionOf(deps, request, options);
  return session && !lacksSecondFactor(deps.settings, session) ? session : undefined;
}

/**
 * The person or service account that makes the request. Undefined without a valid session or token, before the second factor, for a
 * suspended person and what this person made, and for a service account outside of its networks. A service account never has more than
 * the role that its owner has now. Each call reads the database, so changes apply at once. A background call does not extend the session.
 */
export async function personOf(
  deps: CallerDependencies,
  request: Request,
  options?: SessionUse,
): Promise<Person | undefined> {
  const token = bearerOf(request);
  // Members have no service accounts.
  if (token !== undefined && isServiceToken(token) && deps.settings.audience === 'operators')
    return serviceOf(deps, request, token);
  const session = await wholeSessionOf(deps, request, options);
  if (!session || !isRole(session.role)) return undefined;
  const { personId, name, email, role, hasSecondFactor, secondFactorAt, expiresAt, id } = session;
  return {
    id: personId,
    name,
    email,
    role,
    kind: 'PERSON',
    hasSecondFactor,
    expiresAt,
    sessionId: id,
    sessionKind: session.kind,
    secondFactorAt: secondFactorAt ?? undefined,
    needsSecondFactor: demandsSecondFactor(deps.settings, session) && !session.isSecondFactorRecent,
  };
}

function bearerOf(request: Request): string | undefined {
  return /^Bearer (\S+)$/i.exec(request.get('authorization') ?? '')?.[1];
}

async function serviceOf({ pool }: CallerDependencies, request: Request, token: string): Promise<Person | undefined> {
  const account = await useServiceAccount(pool, tokenHash(token));
  if (!account || !isAllowedAddress(request.ip, account.networks)) return undefined;
  const { id, name, roleNow: role, operations, networks, expiresAt, createdBy: owner, ownerId } = account;
  if (!isRole(role)) return undefined;
  return {
    id: `service-${id}`,
    name,
    email: name,
    role,
    kind: 'SERVICE',
    operations,
    networks,
    expiresAt,
    owner,
    ownerId,
    secondFactorAt: undefined,
    hasSecondFactor: false,
    needsSecondFactor: false,
    sessionId: `service-${id}`,
  };
}

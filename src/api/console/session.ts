/** The session of a call of the console: who holds it, an API key or a member, and what ends it. docs/developers/console.md#sessions. */
import type { Request, RequestHandler, Response } from 'express';
import { findSessionClient, type SessionClient } from '../../data/clients/clients';
import {
  enterMember,
  findSessionMember,
  listMemberships,
  type SessionMember,
} from '../../data/clients/chosen-accounts';
import { endSession, type LiveSession } from '../../data/clients/token-sessions';
import type { Database } from '../../data/database/database';
import type { CallerIds } from '../../domain/audit';
import { accessErrors, ApiError, errors } from '../../domain/errors';
import type { Identity } from '../../identity/identity';
import type { Dependencies } from '../dependencies';
import { setCaller } from '../middleware/authenticate';
import { markEnded, ownerOf, setCallerOf, traceOf, type Trace } from '../middleware/caller';
import { checkClient, limitClient } from '../rate-limits/rate-limiter';
import { cookieClaims } from './cookie';

/** A session of an API key, which the console's cookie names. */
export interface SessionOfKey extends LiveSession {
  member: null;
}

/** A person's session at the sign-in of members, with the member for whom it works. */
export interface MemberSession extends SignedIn {
  member: SessionMember;
}

export type ConsoleSession = SessionOfKey | MemberSession;

type SignedIn = NonNullable<Awaited<ReturnType<Identity['sessionOf']>>>;

declare module 'express-serve-static-core' {
  interface Locals {
    session?: ConsoleSession | undefined;
  }
}

/** The live session that `authenticateSession` found; undefined for a call with an access token. */
export function sessionOf(response: Response): ConsoleSession | undefined {
  return response.locals.session;
}

/** `sessionOf` for a call that `rejectEndedSession` let pass. */
export function openSessionOf(response: Response): ConsoleSession {
  const session = sessionOf(response);
  if (!session) throw notSignedIn();
  return session;
}

/**
 * Replaces `authenticate` for the console: makes the holder of the session the caller; else 401. A member's session comes before a key's.
 * The key of a signed cookie is the caller whether its session is alive or not, so `rejectEndedSession` must follow when the call is
 * counted. Members are read from the database, so that a removal, a suspension, another role and the end of the session apply to the next
 * call.
 */
export function authenticateSession(deps: Dependencies): RequestHandler {
  return async (request, response, next) => {
    const person = await memberIn(deps, request);
    if (person) await authenticateMember(deps, request, response, person);
    else if (!(await authenticateKey(deps, request, response))) throw notSignedIn();
    next();
  };
}

/**
 * Throws 401 for a call with the cookie of a session that has ended, and says why. Unlike an access token, the cookie ends at once with
 * a sign-out, a suspension or a revoked key.
 */
export function rejectEndedSession({ database }: Pick<Dependencies, 'database'>): RequestHandler {
  return async (_request, response, next) => {
    if (!sessionOf(response)) throw rejectionOf(await findSessionClient(database, ownerOf(response)));
    next();
  };
}

/** Counts a call with a signed cookie as `limitClient` does. Other calls are not counted. */
export function limitCookie(deps: Dependencies): RequestHandler {
  const limits = limitClient(deps.rateLimiter);
  return async (request, response, next) => {
    const isKey = await authenticateKey(deps, request, response);
    return isKey ? limits(request, response, next) : next();
  };
}

/** Ends the sessions of the request: the member's at the sign-in, and the key's. */
export async function endEverySession(deps: Dependencies, request: Request): Promise<void> {
  const person = await memberIn(deps, request);
  if (person) await deps.members.endSession(person.id, [person.email]);
  const claims = cookieClaims(deps, request);
  if (claims) await endSession(deps.database, claims.id);
}

/** The 401 for a session that has ended or never existed. */
export function notSignedIn(): ApiError {
  return errors.unauthorized('Not signed in');
}

/** Makes the key of a signed cookie the caller. False without such a cookie. A call beyond the client's limit runs no SQL. */
async function authenticateKey(deps: Dependencies, request: Request, response: Response): Promise<boolean> {
  const claims = cookieClaims(deps, request);
  if (!claims) return false;
  if (!(await setCaller(deps, response, claims))) throw notSignedIn();
  await checkClient(deps.rateLimiter, request, response);
  const session = await deps.sessionTokens.find(claims.id);
  if (!session) markEnded(response);
  response.locals.session = session && { ...session, member: null };
  return true;
}

/** Whether the request has a cookie of the members' sign-in: other requests cost nothing. */
const memberCookie = /(?:^|;\s*)(?:__Secure-)?members\.session_token=/;

/** The session of a person at the members' sign-in; undefined without one, and before the second factor. */
export async function memberIn(
  { members }: Pick<Dependencies, 'members'>,
  request: Request,
): Promise<SignedIn | undefined> {
  if (!memberCookie.test(request.get('cookie') ?? '')) return undefined;
  // A page opens its stream by itself, and cannot say so in a header.
  return members.sessionOf(request, request.path === '/console/stream' ? { isBackground: true } : {});
}

/** Makes the member for whom the person's session works the caller. Throws 401 with the reason if there is none now. */
async function authenticateMember(
  { database }: Dependencies,
  request: Request,
  response: Response,
  person: SignedIn,
): Promise<void> {
  const member =
    (await findSessionMember(database, person)) ?? (await enterOnly(database, person, traceOf(request, response)));
  const session: MemberSession = { ...person, member };
  const client = await clientOfMember(database, session);
  if (client instanceof ApiError) throw client;
  setCallerOf(response, client, idsOf(member));
  response.locals.session = session;
}

/** Enters the only account of a person who has not chosen one. */
async function enterOnly(database: Database, person: SignedIn, from: Trace): Promise<SessionMember> {
  const [only, ...others] = await listMemberships(database, person.email);
  if (!only) throw isNoMember();
  if (others.length > 0) throw errors.unauthorized('Choose an account');
  await enterMember(database, person, only.memberId, from);
  const member = await findSessionMember(database, person);
  if (!member) throw isNoMember();
  return member;
}

/** The client that the member may use now; else the 401 with the reason. */
async function clientOfMember(
  database: Database,
  { member, secondFactorAt }: MemberSession,
): Promise<SessionClient | ApiError> {
  if (!member.isPresent) return isNoMember();
  if (member.needsSecondFactor && secondFactorAt === null) return errors.unauthorized('Set up the second factor');
  const client = await findSessionClient(database, idsOf(member));
  return client && client.accessRejection === null ? client : rejectionOf(client);
}

function idsOf({ id, clientId }: SessionMember): CallerIds {
  return { clientId, apiKeyId: null, memberId: id, sessionId: null };
}

const isNoMember = () => errors.unauthorized('You are not a member of the account now');

/** The 401 for a caller whose client rejects it. */
function rejectionOf(client: SessionClient | undefined): ApiError {
  const rejection = client?.accessRejection;
  return rejection ? errors.unauthorized(accessErrors[rejection]().message) : notSignedIn();
}

/** Less than a minute, so that a page of a removed member ends within a minute. */
const CHECK_MS = 5_000;

/** Calls `end` when the next call of the member's session would be rejected, or be another member's. Stops with `signal`. */
export function whenMemberLeaves(
  { members, database, log }: Pick<Dependencies, 'members' | 'database' | 'log'>,
  session: MemberSession,
  signal: AbortSignal,
  end: () => void,
): void {
  const hasLeft = async () => {
    if (!(await members.isAlive(session.id))) return true;
    const member = await findSessionMember(database, session);
    if (member?.id !== session.member.id) return true;
    return (await clientOfMember(database, { ...session, member })) instanceof ApiError;
  };
  const check = async () => {
    if (await hasLeft()) end();
  };
  const timer = setInterval(() => {
    check().catch((err: unknown) => log.warn({ err }, 'the session of an open page cannot be read'));
  }, CHECK_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
}

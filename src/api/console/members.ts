/** Members of clients in the console: who makes a request, and what ends an open page. docs/developers/console.md#members. */
import type { Request, RequestHandler, Response } from 'express';
import { findSessionClient } from '../../data/clients/clients';
import {
  enterMember,
  findSessionMember,
  listMemberships,
  type SessionMember,
} from '../../data/clients/member-sessions';
import type { Database } from '../../data/database/database';
import { recordAudit } from '../../data/audit/audit';
import { accessErrors, errors } from '../../domain/errors';
import type { Identity } from '../../identity/identity';
import type { Dependencies } from '../dependencies';
import { callerOf, ownerOf, setCallerOf } from '../middleware/caller';

type SignedIn = NonNullable<Awaited<ReturnType<Identity['sessionOf']>>>;

/** Whether the request has a cookie of the members' sign-in: other requests cost nothing. */
const memberCookie = /(?:^|;\s*)(?:__Secure-)?members\.session_token=/;

/** The session of a person at the members' sign-in; undefined without one, and before the second factor. */
export async function memberPersonOf(
  { members }: Pick<Dependencies, 'members'>,
  request: Request,
): Promise<SignedIn | undefined> {
  if (!memberCookie.test(request.get('cookie') ?? '')) return undefined;
  // A page opens its stream by itself, and cannot say so in a header.
  return members.identity.sessionOf(
    request,
    request.path === '/console/stream' ? { isBackground: true } : {},
  );
}

/**
 * Makes the member of the request's session the caller. Requests without such a session pass. Throws 401 with the reason if the person
 * may use no account now, must choose one, or must set up a second factor. Everything is read from the database, so that a removal, a
 * suspension, another role and the end of the session apply to the next call.
 */
export function identifyMember(deps: Dependencies): RequestHandler {
  return async (request, response, next) => {
    const person = await memberPersonOf(deps, request);
    if (!person) return next();
    const member =
      (await findSessionMember(deps.database, person)) ?? (await enterOnly(deps, request, response, person));
    if (!member.isPresent) throw isNoMember();
    if (member.needsSecondFactor && person.secondFactorAt === null)
      throw errors.unauthorized('Set up the second factor');
    const owner = { clientId: member.clientId, apiKeyId: null, memberId: member.id, sessionId: null };
    const client = await findSessionClient(deps.database, owner);
    const rejection = client?.accessRejection;
    if (!client || rejection)
      throw errors.unauthorized(rejection ? accessErrors[rejection]().message : 'Not signed in');
    setCallerOf(response, client, owner);
    response.locals.memberSession = { ...person, member } satisfies MemberSession;
    next();
  };
}

/** A session with its member. */
export interface MemberSession extends SignedIn {
  member: SessionMember;
}

/** The session that `identifyMember` found. */
export function memberSessionOf(response: Response): MemberSession | undefined {
  return response.locals.memberSession as MemberSession | undefined;
}

const isNoMember = () => errors.unauthorized('You are not a member of the account now');

/** Enters the only account of a person who has not chosen one. */
async function enterOnly(
  { database }: Dependencies,
  request: Request,
  response: Response,
  person: SignedIn,
): Promise<SessionMember> {
  const [only, ...others] = await listMemberships(database, person.email);
  if (!only) throw isNoMember();
  if (others.length > 0) throw errors.unauthorized('Choose an account');
  const from = { address: request.ip ?? null, requestId: response.get('X-Request-Id') ?? '' };
  await enterMember(database, person, only.memberId, from);
  const member = await findSessionMember(database, person);
  if (!member) throw isNoMember();
  return member;
}

/** Whether the session still works for its member. */
async function isStillIn(database: Database, session: MemberSession): Promise<boolean> {
  const member = await findSessionMember(database, session);
  return member?.isPresent === true && member.id === session.member.id;
}

/** Less than a minute, so that a page of a removed member ends within a minute. */
const CHECK_MS = 5_000;

/** Calls `end` when the session of a page has ended, or its member may no longer read. Stops with `signal`. */
export function whenMemberLeaves(
  { members, database, log }: Pick<Dependencies, 'members' | 'database' | 'log'>,
  session: MemberSession,
  signal: AbortSignal,
  end: () => void,
): void {
  const check = async () => {
    const isPresent = (await members.identity.isAlive(session.id)) && (await isStillIn(database, session));
    if (!isPresent) end();
  };
  const timer = setInterval(() => {
    check().catch((err: unknown) => log.warn({ err }, 'the session of an open page cannot be read'));
  }, CHECK_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
}

/** Audits that codes of an object, such as `order/17`, are shown to a member. Keys read codes all the time: those are not audited. */
export async function recordShownCodes(
  { database, members }: Pick<Dependencies, 'database' | 'members'>,
  response: Response,
  object: string,
): Promise<void> {
  const { memberId } = ownerOf(response);
  if (memberId === null) return;
  const key = `${memberId} ${object}`;
  if (members.shownCodes.get(key)) return;
  await recordAudit(database, callerOf(response.req, response), { action: 'codes.shown', object });
  members.shownCodes.set(key, true);
}

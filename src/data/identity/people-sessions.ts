/** Sessions of people: of browsers, and of the ops CLI. */
import { matching } from '../database/conditions';
import { identityRows, type IdentityConnection } from './identity-pool';
import { unspentInvitation } from './invitations';

/** A session of a browser ends after some rest, one of the ops CLI does not. */
export const sessionKinds = ['BROWSER', 'CLI'] as const;
export type SessionKind = (typeof sessionKinds)[number];

/** A live session with its person. */
export interface LiveIdentitySession {
  id: string;
  kind: SessionKind;
  machine: string | null;
  expiresAt: Date;
  secondFactorAt: Date | null;
  /** Whether the second factor is recent enough for a change. */
  isSecondFactorRecent: boolean;
  personId: string;
  name: string;
  email: string;
  role: string;
  hasSecondFactor: boolean;
}

export interface ListedSession {
  id: string;
  email: string;
  kind: SessionKind;
  machine: string | null;
  userAgent: string | null;
  address: string | null;
  createdAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
  /** Whether it sleeps, because its person is suspended: it opens nothing until the person is resumed. */
  isAsleep: boolean;
}

export interface SessionLimits {
  restMinutes: number;
  /** For how long a second factor permits changes. */
  secondFactorMinutes: number;
}

interface SessionCall extends SessionLimits {
  /** Whether a page made the call without its person, so that the session goes on resting. */
  isBackground: boolean;
}

const hasNotEnded = `session."expiresAt" > now()
  AND (session.kind = 'CLI' OR session."lastUsedAt" > now() - make_interval(mins => $restMinutes))`;
const isLive = `${hasNotEnded} AND "user"."suspendedAt" IS NULL`;

/**
 * Returns the session and, for a call of its person, notes that it is used. Undefined if it has ended: by its end, by rest, or because
 * its person is suspended. Nothing is cached, so each of these applies to the next call.
 */
export async function useSession(
  pool: IdentityConnection,
  id: string,
  { restMinutes, secondFactorMinutes, isBackground }: SessionCall,
): Promise<LiveIdentitySession | undefined> {
  const [found] = await identityRows<LiveIdentitySession>(
    pool,
    `WITH live AS (
       SELECT session.id, kind, machine, "expiresAt", "secondFactorAt", "lastUsedAt",
              coalesce("secondFactorAt" > now() - make_interval(mins => $secondFactorMinutes), false)
                AS "isSecondFactorRecent",
              "user".id AS "personId", "user".name, "user".email, "user".role,
              coalesce("user"."twoFactorEnabled", false) AS "hasSecondFactor"
         FROM session JOIN "user" ON "user".id = session."userId"
        WHERE session.id = $id AND ${isLive}),
     used AS (
       UPDATE session SET "lastUsedAt" = now() FROM live
        WHERE session.id = live.id AND NOT $isBackground::boolean
          AND live."lastUsedAt" < now() - interval '20 seconds')
     SELECT id, kind, machine, "expiresAt", "secondFactorAt", "isSecondFactorRecent", "personId", name, email, role,
            "hasSecondFactor"
       FROM live`,
    { id, restMinutes, secondFactorMinutes, isBackground },
  );
  return found;
}

const listed = `
  SELECT session.id, "user".email, kind, machine, "userAgent", "ipAddress" AS address, session."createdAt",
         "lastUsedAt", "expiresAt", "user"."suspendedAt" IS NOT NULL AS "isAsleep"
    FROM session JOIN "user" ON "user".id = session."userId"`;

/** A page of a list of sessions. An undefined condition matches every session. */
export interface SessionPage {
  kind?: SessionKind | undefined;
  /** Only sessions behind the one with this id. */
  after?: string | undefined;
  limit?: number | undefined;
}

/** The sessions of a person, or of all people, that have not ended, those used last first. */
export function listSessions(
  pool: IdentityConnection,
  { personId = null, restMinutes, limit, ...page }: { personId?: string | null; restMinutes: number } & SessionPage,
): Promise<ListedSession[]> {
  const { where, binds } = matching(page, {
    kind: 'kind = $kind',
    after: `EXISTS (SELECT FROM session last WHERE last.id = $after
                       AND (session."lastUsedAt" < last."lastUsedAt"
                            OR session."lastUsedAt" = last."lastUsedAt" AND session.id > last.id))`,
  });
  return identityRows(
    pool,
    `${listed}
      WHERE ($personId::text IS NULL OR "userId" = $personId) AND ${hasNotEnded} AND ${where}
      ORDER BY "lastUsedAt" DESC, session.id LIMIT $limit`,
    { ...binds, personId, restMinutes, limit: limit ?? null },
  );
}

/** Ends a session, of the person only if one is given. Returns whose it was; undefined if there is none. */
export async function endIdentitySession(
  pool: IdentityConnection,
  { id, personId = null }: { id: string; personId?: string | null },
): Promise<{ email: string } | undefined> {
  const [ended] = await identityRows<{ email: string }>(
    pool,
    `DELETE FROM session USING "user"
      WHERE session.id = $id AND "user".id = "userId" AND ($personId::text IS NULL OR "userId" = $personId)
     RETURNING "user".email`,
    { id, personId },
  );
  return ended;
}

/** Whether the session is alive. The question is no use of it. */
export async function isIdentitySessionAlive(
  pool: IdentityConnection,
  id: string,
  restMinutes: number,
): Promise<boolean> {
  const alive = await identityRows(
    pool,
    `SELECT FROM session JOIN "user" ON "user".id = session."userId" WHERE session.id = $id AND ${isLive}`,
    { id, restMinutes },
  );
  return alive.length > 0;
}

/** The live sessions of the people with these addresses, those used last first. */
export function listSessionsOf(
  pool: IdentityConnection,
  emails: readonly string[],
  restMinutes: number,
): Promise<ListedSession[]> {
  return identityRows(
    pool,
    `${listed} WHERE "user".email = ANY ($emails::text[]) AND ${isLive} ORDER BY "lastUsedAt" DESC, session.id`,
    { emails, restMinutes },
  );
}

/** Ends a session of one of the people with these addresses. False if there is none. */
export async function endSessionOf(pool: IdentityConnection, id: string, emails: readonly string[]): Promise<boolean> {
  const ended = await identityRows(
    pool,
    `DELETE FROM session USING "user"
      WHERE session.id = $id AND "user".id = session."userId" AND "user".email = ANY ($emails::text[]) RETURNING session.id`,
    { id, emails },
  );
  return ended.length > 0;
}

/** Notes that the person has just given the second factor in the session. False if it is another person's session. */
export async function recordSecondFactor(
  pool: IdentityConnection,
  { id, personId }: { id: string; personId: string },
): Promise<boolean> {
  const recorded = await identityRows(
    pool,
    'UPDATE session SET "secondFactorAt" = now() WHERE id = $id AND "userId" = $personId RETURNING id',
    { id, personId },
  );
  return recorded.length > 0;
}

/** Deletes sessions, codes, counts and links of invitations that have ended. */
export async function purgeIdentity(pool: IdentityConnection): Promise<void> {
  await identityRows(
    pool,
    `WITH sessions AS (DELETE FROM session WHERE "expiresAt" < now()),
     verifications AS (DELETE FROM verification WHERE "expiresAt" < now()),
     devices AS (DELETE FROM "deviceCode" WHERE "expiresAt" < now() - interval '1 hour'),
     codes AS (DELETE FROM used_codes WHERE used_at < now() - interval '1 hour'),
     invitations AS (DELETE FROM invitation_counts WHERE since < now() - interval '1 day'),
     device_codes AS (DELETE FROM device_code_counts WHERE since < now() - interval '1 day'),
     of_networks AS (DELETE FROM network_code_counts WHERE since < now() - interval '1 day'),
     mailed AS (DELETE FROM network_mail_counts WHERE since < now() - interval '1 day'),
     wrong AS (DELETE FROM wrong_code_counts WHERE since < now() - interval '1 day'),
     links AS (
       DELETE FROM invitation_links USING invitations WHERE invitations.id = invitation_id AND NOT (${unspentInvitation})),
     forgotten AS (DELETE FROM known_devices WHERE last_used_at < now() - interval '400 days')
     DELETE FROM mail_code_counts WHERE since < now() - interval '1 day'`,
  );
}

/**
 * Sign-in of one door: who makes a request, the pages to sign in, and what admins do with people. Operators and clients' members use
 * this code with settings of their own and share nothing else. docs/operators/people.md.
 */
import { Router, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import type { Logger } from 'pino';
import { checkSessions } from '../data/database/connection-settings';
import { openIdentityPool } from '../data/identity/identity-pool';
import {
  endSessionOf,
  isIdentitySessionAlive,
  listSessionsOf,
  purgeIdentity,
  type ListedSession,
  type LiveIdentitySession,
} from '../data/identity/people-sessions';
import { isDriverUnavailable } from '../data/database/errors';
import { ApiError, errors } from '../domain/errors';
import { minute } from '../domain/time';
import { limitRunning, networkOfCaller } from '../http/checks';
import type { Mailer } from '../notifications/mail/send';
import { personOf, wholeSessionOf, type CallerDependencies, type SessionUse, type Person } from './callers';
import { deviceRoutes } from './device-routes';
import { openLibrary } from './library';
import { LocalAdmin } from './local-admin';
import { People } from './people';
import { Provider } from './provider';
import { readBody, rejectForeignOrigins } from './requests';
import { resealSecondFactors } from './secret-rotation';
import { secondFactorRoutes, setUpRoutes, sessionRoutes } from './signed-in-routes';
import type { IdentitySettings } from './settings';
import { countEvent } from './sign-in-events';
import { signInRoutes } from './sign-in-routes';
import { contentSecurityPolicy } from './style';

export interface Identity {
  /** Mount it at `/identity`. The application must trust only our proxies (`trust proxy`), because limits count by `request.ip`. */
  router: Router;
  /**
   * The person or service account that makes the request; undefined for all others, also before the second factor. Reads the
   * database at each call, so a suspension, a role and the end of a session apply to the next call.
   *
   * The call extends the session, unless a page made it without its person. A page of ours that polls says so in its request
   * (`X-Background-Request: true`); for a page that cannot, the route decides (`isBackground`).
   */
  personOf(request: Request, options?: SessionUse): Promise<Person | undefined>;
  /** The live session of the request, after the second factor; undefined without one. Of operators and members alike. */
  sessionOf(request: Request, options?: SessionUse): Promise<LiveIdentitySession | undefined>;
  /** Whether a session is alive. Unlike a call, the question is no use of it. */
  isAlive(sessionId: string): Promise<boolean>;
  /** The live sessions of the people with these addresses, those used last first. */
  sessionsOf(emails: readonly string[]): Promise<ListedSession[]>;
  /** Ends a session of one of these people. False if there is none. */
  endSession(id: string, emails: readonly string[]): Promise<boolean>;
  /** Rejects requests that the page of another site causes. For every route that a cookie opens. */
  rejectForeignOrigins: RequestHandler;
  /** Where the person gives the second factor again, for the session that makes the request. */
  confirmationUrl(person: Person): string;
  people: People;
  /** Only in a sandbox. */
  localAdmin: LocalAdmin | undefined;
  close(): Promise<void>;
}

interface Dependencies {
  mailer: Mailer;
  log: Logger;
  /** Links of the page about oneself, such as to the Temporal UI. */
  links?: readonly { href: string; text: string }[];
}

const PURGE_MS = 10 * minute;

/** The requests of a network that run at once. They take milliseconds. */
const RUNNING = { maxConcurrent: 100, maxPerOwner: 20, waitMs: 10_000 };

/** Opens a door. Close it when the process ends. */
export async function openIdentity(
  settings: IdentitySettings,
  { mailer, log, links = [] }: Dependencies,
): Promise<Identity> {
  await checkSessions(settings.databaseUrl);
  const pool = openIdentityPool(settings.databaseUrl, settings.schema);
  const libraryDependencies = { settings, pool, mailer, log };
  const library = openLibrary(libraryDependencies);
  await library.$context;
  const deps: CallerDependencies = { ...libraryDependencies, library };
  const { firstAdmin } = settings;
  const people = new People(libraryDependencies);
  if (firstAdmin !== undefined)
    await people.inviteFirstAdmin(firstAdmin).catch((err: unknown) => {
      log.error({ err }, 'The first admin could not be invited: restart the process when the cause is gone');
    });
  await resealSecondFactors(pool, settings, log).catch((err: unknown) => {
    log.error({ err }, 'Second factors could not be encrypted with the current secret: restart the process');
  });
  const purging = setInterval(() => void purgeIdentity(pool).catch(() => undefined), PURGE_MS);
  purging.unref();
  return {
    router: routerOf(deps, links),
    personOf: (request, options) => personOf(deps, request, options),
    sessionOf: (request, options) => wholeSessionOf(deps, request, options),
    isAlive: (sessionId) => isIdentitySessionAlive(pool, sessionId, settings.restMinutes),
    sessionsOf: (emails) => listSessionsOf(pool, emails, settings.restMinutes),
    async endSession(id, emails) {
      const isEnded = await endSessionOf(pool, id, emails);
      // The caller audits who ended it.
      if (isEnded) await countEvent(deps, 'session.ended');
      return isEnded;
    },
    rejectForeignOrigins: rejectForeignOrigins(settings),
    confirmationUrl: ({ sessionId }) => `${settings.origin}/identity/second-factor?session=${sessionId}`,
    people,
    localAdmin:
      settings.mode === 'sandbox' && settings.audience === 'operators'
        ? new LocalAdmin(pool, library, settings)
        : undefined,
    async close() {
      clearInterval(purging);
      await pool.end();
    },
  };
}

function routerOf(deps: CallerDependencies, links: NonNullable<Dependencies['links']>): Router {
  const { settings, log } = deps;
  const provider = settings.provider && new Provider(settings.provider.name, settings.provider, deps);
  const isOwnPage = rejectForeignOrigins(settings);
  const router = Router();
  router.use(safePages(settings), isOwnPage, limitRunning(RUNNING, networkOfCaller), ...readBody);
  router.use(
    signInRoutes({ ...deps, provider }),
    sessionRoutes(deps, links),
    secondFactorRoutes(deps),
    setUpRoutes(deps),
  );
  if (settings.audience === 'operators') router.use(deviceRoutes(deps));
  router.use(notFound, failed(log));
  return router;
}

/** Pages that no other site may frame and that nothing stores. A form needs its Origin, so the policy for referrers is not stricter. */
function safePages({ mode }: Pick<IdentitySettings, 'mode'>): RequestHandler {
  const headers = {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': contentSecurityPolicy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    // Production has TLS in front.
    ...(mode === 'production' && { 'Strict-Transport-Security': 'max-age=31536000' }),
  };
  return (_request, response, next) => {
    response.set(headers);
    next();
  };
}

const notFound: RequestHandler = (_request, response) => {
  response.status(404).type('text/plain').send('There is no such page.\n');
};

/** Answers errors without their text, which may repeat input. */
function failed(log: Logger) {
  return (error: Error & { status?: number }, _request: Request, response: Response, _next: NextFunction): void => {
    const shown = isDriverUnavailable(error) ? errors.serviceUnavailable() : error;
    const headers = shown instanceof ApiError ? shown.headers : {};
    const { status = 500 } = shown;
    if (status >= 500) log.error({ err: error }, 'A request of the sign-in failed');
    if (response.headersSent) return void response.destroy();
    const text = status >= 500 ? 'Something failed here. Try again.' : 'This request is malformed.';
    response.status(status).set(headers).type('text/plain').send(`${text}\n`);
  };
}

export type { Person } from './callers';

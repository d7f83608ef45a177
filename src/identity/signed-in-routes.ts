/** Routes of people who are signed in: who they are, their sessions, and the second factor. */
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { endIdentitySession, listSessions, type LiveIdentitySession } from '../data/identity/people-sessions';
import { personOf, liveSessionOf, type CallerDependencies } from './callers';
import { homePage } from './home-page';
import { secondFactorPage, setUpPage } from './pages';
import { fieldOf, queryOf, safeNext } from './requests';
import {
  confirmSecondFactor,
  giveSecondFactor,
  makeSecondFactor,
  type NewSecondFactor,
  type SecondFactorResult,
} from './second-factor';
import { lacksSecondFactor } from './demanded-second-factor';
import { sessionEnded } from './sign-in-events';

/** A handler for a live session. */
type SessionHandler = (request: Request, response: Response, session: LiveIdentitySession) => Promise<void> | void;

/** Runs the handler for a live session, also before the second factor. All other requests go to the sign-in. */
export function withSession(deps: CallerDependencies, handler: SessionHandler): RequestHandler {
  return async (request, response) => {
    const session = await liveSessionOf(deps, request);
    if (session) return handler(request, response, session);
    const next = request.method === 'GET' ? `?next=${encodeURIComponent(request.originalUrl)}` : '';
    response.redirect(303, `/identity/sign-in${next}`);
  };
}

/** Like `withSession`, after the second factor. */
export function withWholeSession(deps: CallerDependencies, handler: SessionHandler): RequestHandler {
  return withSession(deps, (request, response, session) => {
    if (!lacksSecondFactor(deps.settings, session)) return handler(request, response, session);
    const next = request.method === 'GET' ? request.originalUrl : '/identity/';
    response.redirect(303, `/identity/gate?next=${encodeURIComponent(next)}`);
  });
}

const messages: Readonly<Record<Exclude<SecondFactorResult, 'given'>, string>> = {
  wrong: 'This code is wrong, or was used before.',
  locked: 'There were too many wrong codes. Try again in 15 minutes.',
};

/** The sentence about a rejected code. */
export function messageOf(result: Exclude<SecondFactorResult, 'given'>): string {
  return messages[result];
}

export function sessionRoutes(deps: CallerDependencies, links: readonly { href: string; text: string }[]): Router {
  const router = Router();
  const { settings, pool } = deps;
  const { restMinutes } = settings;
  const isAdmin = ({ role }: LiveIdentitySession) => settings.audience === 'operators' && role === 'admin';

  router.get(
    '/',
    withWholeSession(deps, async (_request, response, session) => {
      const isOfAll = isAdmin(session);
      const personId = isOfAll ? null : session.personId;
      const sessions = await listSessions(pool, { personId, restMinutes });
      response.send(homePage({ session, sessions, isOfAll, links, audience: settings.audience }));
    }),
  );

  router.get('/person', async (request, response) => {
    const person = await personOf(deps, request);
    if (!person) return void response.status(401).json({ error: 'Not signed in' });
    response.json(person);
  });

  router.delete('/session', async (request, response) => {
    const session = await liveSessionOf(deps, request);
    if (session && (await endIdentitySession(pool, { id: session.id })))
      await sessionEnded(deps, request, session, session);
    response.status(204).end();
  });

  router.post(
    '/sessions/end',
    withWholeSession(deps, async (request, response, session) => {
      const personId = isAdmin(session) ? null : session.personId;
      const id = fieldOf(request, 'session');
      const ended = await endIdentitySession(pool, { id, personId });
      if (ended) await sessionEnded(deps, request, session, { id, ...ended });
      response.redirect(303, '/identity/');
    }),
  );
  return router;
}

/** The page to show next: a field of the form names it, else the query. */
const nextOf = ({ settings }: CallerDependencies, request: Request) =>
  safeNext(settings, fieldOf(request, 'next') || queryOf(request, 'next'));

/** Routes on which a person gives the second factor. */
export function secondFactorRoutes(deps: CallerDependencies): Router {
  const router = Router();
  const { settings, pool } = deps;

  /** The session of the same person on another machine, for which the person confirms. */
  const confirmedOf = async ({ personId }: LiveIdentitySession, id: string) => {
    if (id === '') return undefined;
    const sessions = await listSessions(pool, { personId, restMinutes: settings.restMinutes });
    const found = sessions.find((each) => each.id === id);
    return found && { id, machine: found.machine ?? '' };
  };

  router.get(
    '/second-factor',
    withSession(deps, async (request, response, session) => {
      const next = nextOf(deps, request);
      const confirmed = await confirmedOf(session, queryOf(request, 'session'));
      if (!session.hasSecondFactor)
        return response.redirect(303, `/identity/second-factor/set-up?next=${encodeURIComponent(next)}`);
      response.send(secondFactorPage({ next, confirmed }));
    }),
  );

  router.post(
    '/second-factor',
    withSession(deps, async (request, response, session) => {
      const next = nextOf(deps, request);
      if (!session.hasSecondFactor) return response.redirect(303, '/identity/second-factor/set-up');
      const confirmed = await confirmedOf(session, fieldOf(request, 'session'));
      const sessionId = confirmed?.id ?? session.id;
      const result = await giveSecondFactor(deps, request, session, { code: fieldOf(request, 'code'), sessionId });
      if (result === 'given') return response.redirect(303, next);
      response.status(400).send(secondFactorPage({ next, confirmed, error: messageOf(result) }));
    }),
  );
  return router;
}

/** Routes on which a person without a second factor sets one up. */
export function setUpRoutes(deps: CallerDependencies): Router {
  const router = Router();
  const isRequired = deps.settings.requiresSecondFactor;
  const page = (request: Request, made: NewSecondFactor | undefined, error?: string) =>
    setUpPage({ made, next: nextOf(deps, request), isRequired, error });

  router.get(
    '/second-factor/set-up',
    withSession(deps, (request, response, { hasSecondFactor }) => {
      if (hasSecondFactor) return response.redirect(303, '/identity/');
      response.send(page(request, undefined));
    }),
  );

  router.post(
    '/second-factor/set-up',
    withSession(deps, async (request, response, { hasSecondFactor }) => {
      const made = hasSecondFactor ? undefined : await makeSecondFactor(deps, request);
      if (!made) return response.redirect(303, '/identity/');
      response.send(page(request, made));
    }),
  );

  router.post(
    '/second-factor/confirm',
    withSession(deps, async (request, response, session) => {
      if (session.hasSecondFactor) return response.redirect(303, '/identity/');
      const result = await confirmSecondFactor(deps, request, response, session, fieldOf(request, 'code'));
      if (result === 'given') return response.redirect(303, nextOf(deps, request));
      response.status(400).send(page(request, undefined, `${messageOf(result)} Begin again.`));
    }),
  );
  return router;
}

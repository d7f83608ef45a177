/** Routes to sign in and out: by a code, at the provider, with a link of a sandbox. The gate follows each of them. */
import { byWord } from '../domain/by-word';
import { Router, type Request, type Response } from 'express';
import { mailCodeName } from '../data/identity/mail-code-browsers';
import { mayMailCode } from '../data/identity/mailed-code-limits';
import { beginGuess, forgiveGuess } from '../data/identity/wrong-code-pauses';
import { openBrowser } from '../data/identity/invitations';
import { isEmailAddress } from '../notifications/mail/address';
import { invitationSecretHash } from '../notifications/mail/invitation-link';
import { liveSessionOf, type CallerDependencies } from './callers';
import { keepBrowser, networkOfBrowser } from './devices';
import { asEntry } from './entry';
import { NOBODY } from './library';
import { callLibrary, passCookies, type LibraryResponse } from './library-calls';
import { invitationPage, mailCodePage, signInPage } from './pages';
import type { Provider } from './provider';
import { fieldOf, queryOf, safeNext } from './requests';
import { lacksSecondFactor } from './demanded-second-factor';
import { countEvent, lockedOut, signInOrigin, recordEvent, sessionEnded } from './sign-in-events';

export interface SignInDependencies extends CallerDependencies {
  provider: Provider | undefined;
}

/** Why a person may not enter, by the codes of the library and ours. Every other code has one sentence. */
const rejections = byWord({
  access_denied: 'The provider did not sign you in.',
  account_not_linked:
    'A person with your address signs in by email here. Sign in with a code, or ask an admin for help.',
  email_not_verified: 'The provider does not say that your address is verified. Ask its administrator.',
  email_not_found: 'The provider does not name your address. Ask its administrator.',
  no_role: 'None of your groups at the provider has a role here. Ask its administrator.',
  not_invited: 'You have no open invitation. Ask an admin to invite you.',
  provider_down: 'The provider does not respond. Try again, or sign in with a code by email.',
  link: 'This link has been used or is too old. Make another one.',
  invitation:
    'This link has ended: the invitation is accepted, too old or replaced, or its link was used in five browsers. Sign in without it, or ask an admin to invite you again.',
});
const OTHER_REJECTION = 'You could not be signed in. Try again.';
const WRONG_CODE =
  'This code is wrong or too old, or belongs to another browser. After three wrong codes, ask for another one. After more, a browser that is new here has to wait.';

function showSignIn(
  { settings, provider }: SignInDependencies,
  response: Response,
  next: string,
  error?: string,
): void {
  response
    .status(error === undefined ? 200 : 400)
    .send(signInPage({ title: settings.title, next, provider: provider?.name, error }));
}

export function signInRoutes(deps: SignInDependencies): Router {
  const { settings, library } = deps;
  const router = Router().use(mailCodeRoutes(deps), invitationRoutes(deps), providerRoutes(deps));
  if (settings.mode === 'sandbox' && settings.audience === 'operators') router.get('/link', followLink(deps));

  router.get('/gate', async (request, response) => {
    const next = safeNext(settings, queryOf(request, 'next'));
    const session = await liveSessionOf(deps, request);
    if (!session) return response.redirect(303, `/identity/sign-in?next=${encodeURIComponent(next)}`);
    if (!lacksSecondFactor(settings, session)) return response.redirect(303, next);
    const page = session.hasSecondFactor ? 'second-factor' : 'second-factor/set-up';
    response.redirect(303, `/identity/${page}?next=${encodeURIComponent(next)}`);
  });

  router.post('/sign-out', async (request, response) => {
    const session = await liveSessionOf(deps, request);
    passCookies(response, await callLibrary(library, settings, request, '/sign-out', { body: {} }));
    if (session) await sessionEnded(deps, request, session, session);
    response.redirect(303, '/identity/sign-in');
  });
  return router;
}

function mailCodeRoutes(deps: SignInDependencies): Router {
  const router = Router();
  const { settings, library } = deps;

  router.get('/sign-in', (request, response) => {
    const code = queryOf(request, 'error');
    const error = code === '' ? undefined : (rejections[code.toLowerCase()] ?? OTHER_REJECTION);
    showSignIn(deps, response, safeNext(settings, queryOf(request, 'next')), error);
  });

  router.post('/sign-in', async (request, response) => {
    const email = fieldOf(request, 'email').toLowerCase();
    const next = safeNext(settings, fieldOf(request, 'next'));
    if (!isEmailAddress(email)) return showSignIn(deps, response, next, 'Enter an email address.');
    const deviceHash = keepBrowser(settings, request, response);
    const network = networkOfBrowser(request);
    const { isMailed, isLast } = await mayMailCode(deps.pool, { email, deviceHash, network });
    if (isLast) await recordEvent(deps, signInOrigin(request), { event: 'codes.used_up', email });
    // A code that is not mailed must not replace one that was.
    const sent = await asEntry({ codeOf: deviceHash }, () =>
      callLibrary(library, settings, request, '/email-otp/send-verification-otp', {
        body: { email: isMailed ? email : NOBODY, type: 'sign-in' },
      }),
    );
    if (sent.status === 429) return showTooMany(deps, response);
    if (!sent.ok) return showSignIn(deps, response, next, OTHER_REJECTION);
    response.send(mailCodePage({ email, next }));
  });

  router.post('/sign-in/code', async (request, response) => {
    const email = fieldOf(request, 'email').toLowerCase();
    const next = safeNext(settings, fieldOf(request, 'next'));
    const entered = await enterCode(deps, request, response, email);
    if (entered.status === 429) return showTooMany(deps, response);
    if (!entered.ok) return void response.status(400).send(mailCodePage({ email, next, error: WRONG_CODE }));
    passCookies(response, entered);
    response.redirect(303, gate(next));
  });
  return router;
}

/** The link of an invitation. It opens the browser, and no session. */
function invitationRoutes(deps: SignInDependencies): Router {
  const router = Router();
  const { settings, pool } = deps;

  router.get('/invitation', (request, response) => {
    // Programs that check mails follow links, so only the button uses the secret. With this policy, a request to another page has no
    // path of this one, but the form has its Origin.
    response
      .set('Referrer-Policy', 'strict-origin')
      .send(invitationPage({ title: settings.title, secret: queryOf(request, 'secret') }));
  });

  router.post('/invitation', async (request, response) => {
    const secretHash = invitationSecretHash(fieldOf(request, 'secret'));
    const deviceHash = keepBrowser(settings, request, response);
    const opened = await openBrowser(pool, { secretHash, deviceHash });
    if (!opened) return response.redirect(303, '/identity/sign-in?error=invitation');
    const { email, isNew } = opened;
    if (isNew) await recordEvent(deps, signInOrigin(request), { event: 'browser.opened', email });
    response.redirect(303, '/identity/sign-in');
  });
  return router;
}

function providerRoutes(deps: SignInDependencies): Router {
  const router = Router();
  const { settings, provider } = deps;

  router.get('/provider', async (request, response) => {
    const next = safeNext(settings, queryOf(request, 'next'));
    if (!provider) return response.redirect(303, '/identity/sign-in');
    if (!(await provider.begin(request, response, next)))
      showSignIn(deps, response, next, rejections['provider_down'] ?? OTHER_REJECTION);
  });

  router.get('/auth/callback/provider', async (request, response) => {
    const ended = provider && (await provider.end(request, response));
    if (ended && 'location' in ended) return response.redirect(303, ended.location);
    response.redirect(303, `/identity/sign-in?error=${encodeURIComponent(ended?.error ?? 'rejected')}`);
  });
  return router;
}

/** Makes the guess that the form has, and records a wrong one. The response is the same for every address. */
async function enterCode(
  deps: SignInDependencies,
  request: Request,
  response: Response,
  email: string,
): Promise<LibraryResponse> {
  const { settings, library, pool } = deps;
  const deviceHash = keepBrowser(settings, request, response);
  const codeName = mailCodeName(`sign-in-otp-${email}`, deviceHash);
  const network = networkOfBrowser(request);
  const guess = await beginGuess(pool, { email, deviceHash, network, codeName });
  const origin = signInOrigin(request);
  const entered = await asEntry({ codeOf: deviceHash, signIn: { origin, deviceHash } }, () =>
    callLibrary(library, settings, request, '/sign-in/email-otp', {
      body: { email: guess.state === 'WAITS' ? NOBODY : email, otp: fieldOf(request, 'code').replace(/\s/g, '') },
    }),
  );
  const isWrong = !entered.ok && entered.status !== 429;
  if (guess.state !== 'MADE') {
    if (isWrong) await countEvent(deps, 'code.rejected');
    return entered;
  }
  const { countedFor, lastOf } = guess;
  if (!isWrong && countedFor !== undefined) await forgiveGuess(pool, { email, network: countedFor });
  if (isWrong) {
    const details = { known_browser: countedFor === undefined };
    await recordEvent(deps, origin, { event: 'code.rejected', email, details });
    if (lastOf) await lockedOut(deps, request, { email, by: lastOf });
  }
  return entered;
}

/** Where a person goes after any way in. */
const gate = (next: string) => `/identity/gate?next=${encodeURIComponent(next)}`;

function followLink(deps: SignInDependencies) {
  const { library, settings } = deps;
  return async (request: Request, response: Response): Promise<void> => {
    const token = encodeURIComponent(queryOf(request, 'token'));
    const query = `token=${token}&callbackURL=/identity/gate&errorCallbackURL=/identity/sign-in`;
    const signIn = { origin: signInOrigin(request), deviceHash: keepBrowser(settings, request, response) };
    const followed = await asEntry({ signIn }, () =>
      callLibrary(library, settings, request, `/magic-link/verify?${query}`),
    );
    if (followed.cookies.length === 0) return response.redirect(303, '/identity/sign-in?error=link');
    passCookies(response, followed);
    response.redirect(303, gate(settings.home));
  };
}

async function showTooMany(deps: SignInDependencies, response: Response): Promise<void> {
  await countEvent(deps, 'network.limited');
  response.status(429).set('Retry-After', '60').type('text/plain').send('Too many attempts. Try again in a minute.\n');
}

/** Device authorization (RFC 8628) for `ops login`: the ops CLI asks, and a person approves in a browser. */
import { Router, type Request, type Response } from 'express';
import { shownLine } from '../domain/shown-text';
import { describeDevice, findApproval, findDevice, recordApproval } from '../data/identity/device-codes';
import type { LiveIdentitySession } from '../data/identity/people-sessions';
import type { CallerDependencies } from './callers';
import { cliOf } from './devices';
import { asEntry } from './entry';
import { CLI_CLIENT } from './library';
import { callLibrary } from './library-calls';
import { demandsSecondFactor } from './demanded-second-factor';
import { devicePage, donePage } from './pages';
import { fieldOf, queryOf } from './requests';
import { giveSecondFactor } from './second-factor';
import { messageOf, withWholeSession } from './signed-in-routes';
import { countEvent, signInOrigin, recordEvent } from './sign-in-events';
import { newDeviceCode, signedToken, tokenHash } from './tokens';

const TITLE = 'Log in the ops CLI';
const UNKNOWN_CODE = 'This code is unknown, too old or already used.';

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:device_code';

const hashOf = (deviceCode: string) => tokenHash(deviceCode).toString('base64url');

export function deviceRoutes(deps: CallerDependencies): Router {
  const router = Router();
  router.post('/device/code', (request, response) => beginAuthorization(deps, request, response));
  router.post('/device/token', (request, response) => giveToken(deps, request, response));
  router.get(
    '/device',
    withWholeSession(deps, (request, response, session) => showDevice(deps, request, response, session)),
  );
  router.post(
    '/device',
    withWholeSession(deps, (request, response, session) => decide(deps, request, response, session)),
  );
  return router;
}

/** Begins an authorization. The library stores the hash of the device code; only this response has the code. */
async function beginAuthorization(deps: CallerDependencies, request: Request, response: Response) {
  const { library, settings, pool } = deps;
  const deviceCode = newDeviceCode();
  const codeHash = hashOf(deviceCode);
  const begun = await asEntry({ deviceCodeHash: codeHash }, () =>
    callLibrary(library, settings, request, '/device/code', { body: { client_id: fieldOf(request, 'client_id') } }),
  );
  if (begun.status === 429) await countEvent(deps, 'network.limited');
  if (!begun.ok) return void response.status(begun.status).json(begun.body);
  const machine = shownLine(fieldOf(request, 'machine')).slice(0, 100) || 'unnamed machine';
  await describeDevice(pool, { codeHash, machine, address: request.ip ?? '' });
  response.json({ ...begun.body, device_code: deviceCode });
}

/** Gives the token of an approved authorization once. It has the second factor of the person who approved. */
async function giveToken(deps: CallerDependencies, request: Request, response: Response) {
  const { library, settings, pool } = deps;
  const codeHash = hashOf(fieldOf(request, 'device_code'));
  const approval = await findApproval(pool, codeHash);
  const session = { kind: 'CLI', machine: '', secondFactorAt: null, ...approval } as const;
  const origin = signInOrigin(request);
  const deviceHash = cliOf(session.machine, origin.address ?? '');
  const given = await asEntry({ session, signIn: { origin, deviceHash } }, () =>
    callLibrary(library, settings, request, '/device/token', {
      body: { grant_type: GRANT_TYPE, device_code: codeHash, client_id: CLI_CLIENT },
    }),
  );
  const { access_token: token } = given.body;
  if (!given.ok || typeof token !== 'string') return void response.status(given.status).json(given.body);
  response.json({ ...given.body, access_token: signedToken(settings.secret, token) });
}

/** A code without the blanks and dashes that people type. */
const userCodeOf = (text: string) => text.replace(/[^a-z0-9]/gi, '').toUpperCase();

async function showDevice(
  deps: CallerDependencies,
  request: Request,
  response: Response,
  session: LiveIdentitySession,
): Promise<void> {
  const userCode = userCodeOf(queryOf(request, 'user_code'));
  const device = userCode === '' ? undefined : await findDevice(deps.pool, userCode);
  const isOpen = device?.status === 'pending';
  const error = userCode === '' || isOpen ? undefined : UNKNOWN_CODE;
  response.send(
    devicePage({
      userCode,
      device: isOpen ? device : undefined,
      asksForSecondFactor: demandsSecondFactor(deps.settings, session),
      error,
    }),
  );
}

async function decide(
  deps: CallerDependencies,
  request: Request,
  response: Response,
  session: LiveIdentitySession,
): Promise<void> {
  const { library, settings, pool } = deps;
  const userCode = userCodeOf(fieldOf(request, 'user_code'));
  const isApproval = fieldOf(request, 'decision') === 'approve';
  const asks = demandsSecondFactor(settings, session);
  if (isApproval && asks) {
    const code = fieldOf(request, 'code');
    const result = await giveSecondFactor(deps, request, session, { code, sessionId: session.id });
    if (result !== 'given') {
      const device = await findDevice(pool, userCode);
      const view = { userCode, device, asksForSecondFactor: asks, error: messageOf(result) };
      return void response.status(400).send(devicePage(view));
    }
  }
  const { machine = '', address = '' } = (await findDevice(pool, userCode)) ?? {};
  // The library lets only the person decide who has looked at the code.
  await callLibrary(library, settings, request, `/device?user_code=${encodeURIComponent(userCode)}`);
  if (isApproval) await recordApproval(pool, { userCode, secondFactorAt: asks ? new Date() : null });
  const path = isApproval ? '/device/approve' : '/device/deny';
  const decided = await callLibrary(library, settings, request, path, { body: { userCode } });
  if (!decided.ok) return void response.status(400).send(donePage(TITLE, UNKNOWN_CODE));
  if (!isApproval) {
    const { email, name: actor } = session;
    const details = { machine: shownLine(machine), address };
    await recordEvent(deps, signInOrigin(request), { event: 'device.denied', email, actor, details });
  }
  const text = isApproval ? 'The ops CLI is logged in. You can close this page.' : 'The ops CLI was not logged in.';
  response.send(donePage(TITLE, text));
}

/** The operators' process over HTTP: sign-in, operations, and what people see first. docs/operators/people.md. */
import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { isDriverUnavailable } from '../../data/database/errors';
import { ApiError, errors } from '../../domain/errors';
import { isUnavailable } from '../../ordering/unavailable';
import type { AuditedDoor } from '../../data/database/acting-person';
import type { Identity, Person } from '../../identity/identity';
import { forwardedAddresses } from '../../identity/forwarded-addresses';
import { isLocalAdmin } from '../../identity/settings';
import { shownName } from '../../identity/shown-names';
import { requireHost, safeHeaders } from '../../http/checks';
import { discardUnreadBody } from '../../http/body-limits';
import { InvalidArgument } from '../operations/arguments';
import { OPERATOR_HEADER, SIGN_IN_LINK } from '../operations/json-arguments';
import { requestId } from '../../process/request-id';
import type { EncryptionCodec } from '../../temporal/codec';
import type { Caller, OperatorCalls } from './calls';
import { failCall, faultText, operatorErrors, rejectCall } from './errors';
import { officePages, type OfficeFiles } from './office';
import { operationsRoutes, withoutQuery } from './operations-routes';
import { logOperatorRequests } from './request-log';
import { temporalUi } from './temporal-ui/temporal-ui';
import type { SentCall } from './temporal-ui/sent-calls';
import type { UiAccess } from './temporal-ui/ui-server';

interface Deps {
  calls: OperatorCalls;
  identity: Identity;
  temporal: UiAccess & { codec: EncryptionCodec; record: (operator: string, call: SentCall) => Promise<void> };
  officeFiles: OfficeFiles;
  isProduction: boolean;
  /** The proxies whose X-Forwarded-For names the caller. */
  trustedProxies: readonly string[];
  log: Logger;
}

/** Who signed in, by request. */
const people = new WeakMap<Request, Person>();

function personOf(request: Request): Person {
  const person = people.get(request);
  if (!person) throw new Error('The request has no person.');
  return person;
}

/** Builds the application. Every route but `/health` and the sign-in needs a person. */
export function operatorsApp(deps: Deps): Express {
  const { calls, identity, temporal, officeFiles, isProduction, trustedProxies, log } = deps;
  const app = express();
  app.disable('x-powered-by').disable('etag').set('trust proxy', trustedProxies);
  app.use(
    requestId,
    forwardedAddresses,
    logOperatorRequests(log, (request) => people.get(request)),
    discardUnreadBody,
    requireHost,
  );
  // Production has TLS in front.
  if (isProduction) app.use(strictTransport);
  app.get('/health', (_request, response) => void response.json({ status: 'ok' }));
  app.get('/', (_request, response) => void response.redirect(303, '/office/'));
  const { namespace } = temporal;
  app.use('/office', officePages({ files: officeFiles, door: identity, namespace }));
  app.use('/identity', identity.router);
  app.use('/temporal', temporalUi({ ...temporal, door: identity, log }));
  const headers = safeHeaders(isProduction ? 'production' : 'sandbox');
  app.use('/ops', identity.rejectForeignOrigins, requirePerson(identity), (_request, response, next) => {
    response.set(headers);
    next();
  });
  app.post(SIGN_IN_LINK, withoutQuery, giveSignInLink(identity));
  app.use(operationsRoutes({ calls, callerOf: (request) => callerOf(identity, request), log }));
  app.use((_request, response) => rejectCall(response, operatorErrors.notFound, 'There is no such operation.'));
  app.use(failed(log));
  return app;
}

/** Responds to a request that the checks reject, and to a fault of this process, such as a database that does not answer. */
function failed(log: Logger): ErrorRequestHandler {
  return (error: Error & { status?: number }, _request, response, _next) => {
    const { status = 500 } = error;
    if (error instanceof ApiError || isUnavailable(error)) return failCall(response, error);
    if (status < 500) return rejectCall(response, { ...operatorErrors.badRequest, status }, error.message);
    log.error({ err: error }, 'a request failed');
    rejectCall(response, operatorErrors.internal, faultText(response));
  };
}

function callerOf(identity: Identity, request: Request): Caller {
  const person = personOf(request);
  const { role, operations, owner, kind, needsSecondFactor } = person;
  const name = nameOf(identity, person, request);
  const door = doorOf(person);
  return {
    // Each name that people give in a checkout is an account of its own, although they share a token.
    id: isLocalAdmin(person) ? `${person.id}/${name}` : person.id,
    name,
    role,
    door,
    ...(kind === 'SERVICE' && { operations: operations ?? [], owner: owner ?? name }),
    ...(needsSecondFactor && { confirmationUrl: identity.confirmationUrl(person) }),
  };
}

/** Gives the local admin of a sandbox a link that signs in once. */
function giveSignInLink({ localAdmin }: Identity): RequestHandler {
  return async (request, response) => {
    if (localAdmin && isLocalAdmin(personOf(request))) response.json({ link: await localAdmin.signInLink() });
    else rejectCall(response, operatorErrors.notFound, 'Only the local admin of a sandbox gets a link.');
  };
}

/** All people who work in a checkout have the token of its local admin, and name themselves, as for a local command. */
function nameOf({ localAdmin }: Identity, person: Person, request: Request): string {
  const named = localAdmin && isLocalAdmin(person) ? request.get(OPERATOR_HEADER) : undefined;
  return (named && shownName(decoded(named))) || person.name;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw new InvalidArgument(`${OPERATOR_HEADER}: percent-encode the name, in UTF-8.`);
  }
}

/** A person calls by the ops CLI or by pages, each with a session of its own kind. A service account calls by the API. */
function doorOf({ kind, sessionKind }: Pick<Person, 'kind' | 'sessionKind'>): AuditedDoor {
  if (kind === 'SERVICE') return 'API';
  return sessionKind === 'CLI' ? 'CLI' : 'PAGE';
}

/** Rejects a request without a live session. */
function requirePerson(identity: Identity): RequestHandler {
  return async (request, response, next) => {
    const person = await identity.personOf(request).catch((error: unknown) => {
      throw isDriverUnavailable(error) ? errors.serviceUnavailable() : error;
    });
    if (!person) return rejectCall(response, operatorErrors.unauthenticated, 'Log in with: ops login');
    people.set(request, person);
    next();
  };
}

/** Browsers call this origin by TLS only, for a year. */
const strictTransport: RequestHandler = (_request, response, next) => {
  response.set('Strict-Transport-Security', 'max-age=31536000');
  next();
};

/**
 * The Temporal UI for people who signed in: passes on what is listed for their role, in their name, and records every change.
 * docs/operators/temporal-ui.md.
 */
import { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import type { Payload } from '@temporalio/common';
import type { Logger } from 'pino';
import type { Role } from '../../../domain/operators/roles';
import type { EncryptionCodec } from '../../../temporal/codec';
import { limitRunning } from '../../../http/checks';
import { boundedJson } from '../../../http/body-limits';
import { ApiError } from '../../../domain/errors';
import { convertPayloads } from '../../../temporal/remote-codec';
import { listedCall, type Change, type ListedCall } from './listed-calls';
import { segmentsOf } from './plain-path';
import { inNameOf, sentCall, type CallBody, type SentCall } from './sent-calls';
import {
  passApiResponse,
  passAsset,
  passDetails,
  passPage,
  reject,
  restrictApi,
  sayOtherVersion,
  versionPath,
} from './ui-responses';
import { publicPath, UiServer, type UiAccess, type UiRequest } from './ui-server';
import { codecPath, settingsFor } from './ui-settings';
import { isObject } from '../../../domain/unknown-values';

/** Who signed in, as far as this part needs it. */
interface UiPerson {
  id: string;
  name: string;
  role: Role;
  kind: 'PERSON' | 'SERVICE';
  /** Whether a change asks for the second factor again. */
  needsSecondFactor: boolean;
}

/** The sign-in, as far as this part needs it. */
interface Door {
  /** Undefined without a live session, which a background call does not extend. */
  personOf(request: Request, options: { isBackground: boolean }): Promise<UiPerson | undefined>;
  rejectForeignOrigins: RequestHandler;
  /** Where the person gives the second factor again. */
  confirmationUrl(person: UiPerson): string;
}

interface Deps extends UiAccess {
  door: Door;
  codec: EncryptionCodec;
  /** Records a call in the audit, before it is sent. If it throws, the call is not sent. */
  record: (operator: string, call: SentCall) => Promise<void>;
  log: Logger;
}

type ChangingCall = Extract<ListedCall, { kind: 'change' }>;
type ReadingKind = Exclude<ListedCall['kind'], 'sign-in' | 'query' | 'change'>;

/** The largest body of a call. Temporal rejects larger payloads. */
export const MAX_CALL_BYTES = 4 * 2 ** 20;
/** The payloads of a page of a long history, each with its metadata. */
const PAYLOADS = { keys: 50_000, containers: 20_000, depth: 100 };
/** The UI sends JSON as plain text. */
const readBody = boundedJson({ maxBytes: MAX_CALL_BYTES, type: () => true });
const readPayloads = boundedJson({ maxBytes: MAX_CALL_BYTES, complexity: PAYLOADS, type: () => true });

/** The calls of a person that run at once. Each open page of a workflow has one that waits for the next event. */
const RUNNING = { maxConcurrent: 200, maxPerOwner: 40, waitMs: 10_000 };

/** Builds the router for `/temporal`, in an application that has read no body yet. */
export function temporalUi(deps: Deps): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(inItsCase, deps.door.rejectForeignOrigins);
  router.use(signedIn(deps));
  router.use(limitRunning(RUNNING, (request) => personOf(request).id));
  for (const direction of ['decode', 'encode'] as const)
    router.post(`${codecPath}/${direction}`, restrictApi, readPayloads, convert(deps, direction));
  router.use(pass(deps));
  router.use(failed(deps.log));
  return router;
}

/** Express mounts a path in any case; other paths of the service have one. */
const inItsCase: RequestHandler = (request, response, next) => {
  if (request.baseUrl === publicPath) return next();
  reject(response, 404, `The Temporal UI is at ${publicPath}.`);
};

const people = new WeakMap<Request, UiPerson>();

function personOf(request: Request): UiPerson {
  const person = people.get(request);
  if (!person) throw new Error('The request has no person.');
  return person;
}

/** Where people sign in, and return from if they are signed in. */
const gate = (path: string) => `/identity/gate?next=${encodeURIComponent(path)}`;

function signedIn({ door, namespace }: Deps): RequestHandler {
  return async (request, response, next) => {
    const segments = segmentsOf(request.path);
    const kind = segments && listedCall(request.method, segments, namespace)?.kind;
    // An open page of the UI reads, queries and decrypts again and again, which looks like a person who does so.
    const isBackground = kind !== 'page' && kind !== 'change';
    const person = await door.personOf(request, { isBackground });
    if (!person) {
      if (kind === 'page') return response.redirect(303, gate(publicPath + request.url));
      if (kind === 'sign-in') return response.redirect(303, gate(`${publicPath}/`));
      if (request.path === versionPath) return sayOtherVersion(response);
      return reject(response, 401, `Sign in at ${gate(`${publicPath}/`)}.`);
    }
    // A service account has a list of operations, and Temporal's calls are none.
    if (person.kind === 'SERVICE') return reject(response, 403, 'The Temporal UI is for people.');
    people.set(request, person);
    next();
  };
}

/** Every operator may decrypt: Temporal gets no codes and no recipients. docs/decisions/0013-keep-secrets-out-of-temporal.md. */
function convert({ codec }: Deps, direction: 'decode' | 'encode'): RequestHandler {
  const run = (payloads: Payload[]) => codec[direction](payloads);
  return async (request, response) => {
    const converted = await convertPayloads(run, request.body).catch(() => undefined);
    if (converted) response.json(converted);
    else reject(response, 400, 'The payloads cannot be read.');
  };
}

function pass(deps: Deps): RequestHandler {
  const server = new UiServer(deps);
  return async (request, response) => {
    const person = personOf(request);
    const segments = segmentsOf(request.path);
    const call = segments && listedCall(request.method, segments, deps.namespace);
    if (!call) return reject(response, 403, 'The operators’ process passes no such call to Temporal.');
    if (call.kind === 'sign-in') return response.redirect(303, gate(`${publicPath}/`));
    if (call.kind === 'change' || call.kind === 'query') {
      // Before a large body is read.
      if (call.kind === 'change' && !isAllowed(deps.door, person, call.change, response)) return;
      const body = await bodyOf(request, response);
      if (!body) return reject(response, 400, 'The body must be a JSON object.');
      const sent = call.kind === 'change' ? await recorded(deps, person, call, body) : body;
      if (!sent) return reject(response, 403, 'The call must name one workflow of the service, and no other call.');
      return passApiResponse(
        await answerOf(deps, server, { method: 'POST', segments, body: sent }, response),
        response,
      );
    }
    await passRead(deps, server, { person, kind: call.kind, segments }, request, response);
  };
}

/** Whether the person may make the change now. Otherwise, the response says why not. */
function isAllowed(door: Door, person: UiPerson, { roles }: Change, response: Response): boolean {
  if (!roles.includes(person.role)) {
    reject(response, 403, `This needs the role ${roles.join(' or ')}; yours is ${person.role}.`);
    return false;
  }
  if (!person.needsSecondFactor) return true;
  const confirmation_url = door.confirmationUrl(person);
  const message = `Confirm your second factor at ${confirmation_url}, then repeat this.`;
  reject(response, 403, message, { confirmation_url });
  return false;
}

/** The JSON object of the body; undefined if it is none. An absent body is an empty object. */
async function bodyOf(request: Request, response: Response): Promise<CallBody | undefined> {
  await new Promise<void>((resolve, fail) =>
    readBody(request, response, (error?: unknown) => (error instanceof Error ? fail(error) : resolve())),
  );
  const body: unknown = request.body ?? {};
  return isObject(body) ? body : undefined;
}

/** The body to send for the change, once the audit has the call. Undefined if the call must not pass. */
async function recorded(
  { record }: Deps,
  { name }: UiPerson,
  { change, names }: ChangingCall,
  body: CallBody,
): Promise<CallBody | undefined> {
  const call = sentCall(change, names, body);
  if (!call) return undefined;
  await record(name, call);
  return inNameOf(name, change, body, call.sent['message_id']);
}

/** The response of the UI's server. Undefined if it does not respond; then the response says so. */
function answerOf({ log }: Deps, server: UiServer, request: UiRequest, response: Response) {
  return server.send(request).catch((error: Error) => {
    if (request.signal?.aborted === true) return undefined;
    log.warn({ err: error }, 'The Temporal UI does not respond');
    return void reject(response, 502, 'The Temporal UI does not respond.');
  });
}

async function passRead(
  deps: Deps,
  server: UiServer,
  { person, kind, segments }: { person: UiPerson; kind: ReadingKind; segments: readonly string[] },
  request: Request,
  response: Response,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const query = new URL(request.url, 'http://proxy').searchParams;
  const acceptsGzip = request.acceptsEncodings('gzip') === 'gzip';
  const ask = (wanted: Partial<UiRequest>) =>
    answerOf(deps, server, { method: 'GET', segments, signal: gone.signal, ...wanted }, response);
  switch (kind) {
    case 'page':
      return passPage(await ask({ segments: [''] }), response);
    case 'asset':
      return passAsset(await ask({ acceptsGzip }), response);
    case 'details':
      // Its route has the public path twice.
      return passDetails(await ask({ segments: [publicPath.slice(1), ...segments], query }), request, response);
    case 'settings':
      return passApiResponse(await ask({}), response, (settings) => settingsFor(person.role, settings));
    case 'read':
      return passApiResponse(await ask({ query, acceptsGzip }), response);
  }
}

/** Answers errors without their text, except for those of the body parser, which are the caller's. */
function failed(log: Logger): ErrorRequestHandler {
  return (error: Error & { status?: number }, _request, response, _next) => {
    if (response.headersSent) return void response.destroy();
    if (error instanceof ApiError && error.status === 503)
      return reject(response.set(error.headers), error.status, error.message);
    if (error.status !== undefined && error.status < 500)
      return reject(response, error.status, 'The body cannot be read.');
    log.error({ err: error }, 'A call of the Temporal UI failed');
    reject(response, 503, 'Something failed here, before the call was sent. Try again.');
  };
}

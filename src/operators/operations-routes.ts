/** `POST /ops/v1/...`: the operations over HTTP. docs/operators/api.md. */
import { once } from 'node:events';
import { promisify } from 'node:util';
import express, { Router, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import { roleMeanings } from '../domain/operations/roles';
import { InvalidArgument, type Given } from '../operations/arguments';
import { csvOf } from '../operations/csv';
import type { CallListener } from '../operations/context';
import { isFault, isUnstorableValue, sentenceOf } from '../operations/failure';
import { ForceRequired } from '../operations/guarded-prices';
import { givenIn, pathOf } from '../operations/json-arguments';
import { operations } from '../operations/operations';
import { resultsByPage } from '../operations/pages-of-rows';
import type { DataOperation, DocumentOperation, Operation } from '../operations/operation';
import {
  assertAllowed,
  assertConfirmed,
  deaf,
  NotAllowed,
  SecondFactorNeeded,
  type Caller,
  type OperatorCalls,
} from './calls';
import { operatorsDocument } from './document';
import { envelope, faultText, operatorErrors, rejectCall, type ErrorKind } from './errors';

/** The largest file of an operator, and the rest of the body. */
const MAX_BODY = '65mb';

/** How often a stream of a running operation gets a line, so that no proxy and no client takes the connection for dead. */
const HEARTBEAT_MS = 15_000;

interface Deps {
  calls: OperatorCalls;
  /** The person of the request, who is signed in. */
  callerOf: (request: Request) => Caller;
  log: Logger;
}

/** The routes below `/ops/v1`. */
export function operationsRoutes(deps: Deps): Router {
  const router = Router();
  const document = operatorsDocument();
  router.get('/ops/v1/openapi.json', (_request, response) => void response.json(document));
  router.get('/ops/v1/roles', (_request, response) => void response.json(rolesAndOperations));
  for (const operation of operations) router.post(pathOf(operation), handle(deps, operation));
  return router;
}

const rolesAndOperations = {
  roles: Object.entries(roleMeanings).map(([role, about]) => ({ role, about })),
  operations: operations.map(({ name, about, effect, roles }) => ({ name, about, effect, roles })),
};

function isPreview({ query }: Request): boolean {
  return query['preview'] === 'true';
}

/** Reads the body as JSON. Throws if it cannot be read, for the application's handler of errors. */
const readBody = promisify(express.json({ limit: MAX_BODY }));

function handle(deps: Deps, operation: Operation) {
  return async (request: Request, response: Response): Promise<void> => {
    const caller = allowedCaller(deps, operation, request, response);
    // Only for a caller who may use the operation, because a body can be large.
    if (!caller) return;
    await readBody(request, response);
    try {
      const given = givenIn(operation.arguments, request.body ?? {});
      if (isPreview(request))
        response.json({ preview: (await deps.calls.preview(caller, operation, given)) ?? null });
      else if ('parts' in operation) await writeDocument(deps, caller, operation, given, request, response);
      else await answer[formatOf(request)](deps, caller, operation, given, response);
    } catch (error) {
      logFault(deps, operation, error);
      fail(response, error);
    }
  };
}

/** The caller, who may use the operation. Responds to all others, and returns undefined. */
function allowedCaller(
  { callerOf }: Deps,
  operation: Operation,
  request: Request,
  response: Response,
): Caller | undefined {
  try {
    const caller = callerOf(request);
    assertAllowed(caller, operation);
    if (!isPreview(request)) assertConfirmed(caller, operation);
    return caller;
  } catch (error) {
    return void fail(response, error);
  }
}

const formats = ['application/json', 'application/x-ndjson', 'text/csv'] as const;

/** The format that the caller prefers; JSON if it takes none of them. */
function formatOf(request: Request): (typeof formats)[number] {
  const preferred = request.accepts([...formats]);
  return formats.find((format) => format === preferred) ?? 'application/json';
}

const answer = { 'application/json': respond, 'application/x-ndjson': stream, 'text/csv': writeCsv };

/** Writes the rows of the operation for spreadsheets: without a limit, all of them. */
async function writeCsv(
  { calls }: Deps,
  caller: Caller,
  operation: DataOperation,
  given: Given,
  response: Response,
): Promise<void> {
  // Before it changes something: a sentence or a proposal has no rows.
  if (operation.effect !== 'reads')
    throw new InvalidArgument(`${operation.name} is no list. Ask for application/json.`);
  const read = async (page: Given) => (await calls.run(caller, operation, page, deaf)).data;
  for await (const part of csvOf(operation, resultsByPage(operation, given, read))) {
    if (!response.headersSent) response.type('text/csv');
    await writePart(response, part);
  }
  response.end();
}

/** Writes a part, and waits until the caller takes more. Throws if the caller is gone: no caller reads the rest. */
async function writePart(response: Response, part: string): Promise<void> {
  if (response.destroyed) throw new Error('The caller is gone.');
  if (!response.write(part)) await writable(response);
}

/** Waits until the caller takes more, or is gone. */
async function writable(response: Response): Promise<void> {
  await Promise.race([once(response, 'drain'), once(response, 'close')]);
}

async function respond(
  { calls }: Deps,
  caller: Caller,
  operation: DataOperation,
  given: Given,
  response: Response,
) {
  const remarks: string[] = [];
  const listener: CallListener = { progress: () => undefined, remark: (sentence) => remarks.push(sentence) };
  const { data, mark, proposal } = await calls.run(caller, operation, given, listener);
  response.status(proposal === undefined ? 200 : 202).json({ result: data, remarks, mark, proposal });
}

/** Writes a JSON line for each report, and the result or the error in the last one. */
async function stream(
  deps: Deps,
  caller: Caller,
  operation: DataOperation,
  given: Given,
  response: Response,
) {
  response.type('application/x-ndjson');
  const write = (line: object) => response.write(`${JSON.stringify(line)}\n`);
  const heartbeat = setInterval(() => write({}), HEARTBEAT_MS);
  try {
    const listener: CallListener = {
      progress: (progress) => write({ progress }),
      remark: (remark) => write({ remark }),
    };
    const { data, mark, proposal } = await deps.calls.run(caller, operation, given, listener);
    write({ result: data, mark, proposal });
  } catch (error) {
    logFault(deps, operation, error);
    write(envelope(kindOf(error), messageOf(response, error), detailsOf(error)));
  } finally {
    clearInterval(heartbeat);
    response.end();
  }
}

async function writeDocument(
  { calls }: Deps,
  caller: Caller,
  operation: DocumentOperation,
  given: Given,
  request: Request,
  response: Response,
): Promise<void> {
  const form = request.accepts('json', 'text') === 'json' ? 'json' : 'text';
  response.type(form);
  await calls.write(caller, operation, { given, form }, (part) => writePart(response, part));
  response.end();
}

function logFault({ log }: Deps, { name }: Operation, error: unknown): void {
  if (isFault(error)) log.error({ err: error, operation: name }, 'an operation failed');
}

/** Errors that operations throw are for operators; the log has those of this program. */
function messageOf(response: Response, error: unknown): string {
  return isFault(error) ? faultText(response) : sentenceOf(error);
}

function kindOf(error: unknown): ErrorKind {
  if (error instanceof NotAllowed) return operatorErrors.forbidden;
  if (error instanceof SecondFactorNeeded) return operatorErrors.secondFactorNeeded;
  if (error instanceof InvalidArgument || isUnstorableValue(error)) return operatorErrors.badRequest;
  if (error instanceof ForceRequired) return operatorErrors.forceRequired;
  return isFault(error) ? operatorErrors.internal : operatorErrors.notDone;
}

function detailsOf(error: unknown): object | undefined {
  return error instanceof SecondFactorNeeded ? { confirmation_url: error.confirmationUrl } : undefined;
}

function fail(response: Response, error: unknown): void {
  rejectCall(response, kindOf(error), messageOf(response, error), detailsOf(error));
}

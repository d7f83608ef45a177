/** `POST /ops/v1/...`: the operations over HTTP. docs/operators/api.md. */
import { once } from 'node:events';
import { promisify } from 'node:util';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import Joi from 'joi';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { Logger } from 'pino';
import { roleMeanings } from '../../domain/operators/roles';
import { boundedJson } from '../../http/body-limits';
import { InvalidArgument, type Given } from '../operations/arguments';
import { csvOf } from '../operations/csv';
import type { CallListener } from '../operations/context';
import { failedStatementText, isFault } from '../operations/failure';
import { givenIn, pathOf } from '../operations/json-arguments';
import { operations } from '../operations/operations';
import { resultsByPage } from '../operations/pages-of-rows';
import type { DataOperation, DocumentOperation, Operation } from '../operations/operation';
import { pageFile, type PageFile } from '../../page-files/page-files';
import { sendFile } from '../../page-files/send-file';
import { assertAllowed, assertConfirmed, deaf, type Caller, type OperatorCalls } from './calls';
import { operatorsDocument } from './document';
import { newTurns, turnOf, turnOfOffers, type Turns } from './turns';
import { MAX_BODY_BYTES, maxFileBytesOf, withFiles } from './calls-with-files';
import { detailsOf, envelope, failCall, kindOf, sentenceFor, operatorErrors, rejectCall } from './errors';

/** How often a stream of a running operation gets a line, so that no proxy and no client takes the connection for dead. */
const HEARTBEAT_MS = 15_000;

interface Dependencies {
  calls: OperatorCalls;
  /** The person of the request, who is signed in. */
  callerOf: (request: Request) => Caller;
  log: Logger;
}

interface Deps extends Dependencies {
  turns: Turns;
}

/** The routes below `/ops/v1`. */
export function operationsRoutes(dependencies: Dependencies): Router {
  const router = Router();
  // Every page of the back office reads both first.
  const [document, roles] = [jsonFile(operatorsDocument()), jsonFile(rolesAndOperations)];
  const deps = { ...dependencies, turns: newTurns() };
  router.get('/ops/v1/openapi.json', withoutQuery, (request, response) => sendFile(request, response, document));
  router.get('/ops/v1/roles', withoutQuery, (request, response) => sendFile(request, response, roles));
  router.post('/ops/v1/offers', withoutQuery, answerOffers(deps));
  for (const operation of operations) router.post(pathOf(operation), handle(deps, operation));
  return router;
}

/** A value that no request changes, compressed once. */
function jsonFile(value: object): PageFile {
  const body = Buffer.from(JSON.stringify(value));
  return pageFile('application/json; charset=utf-8', body, {
    br: brotliCompressSync(body),
    gzip: gzipSync(body, { level: 9 }),
  });
}

/** What an operation does is in the document, which every page reads, too. */
const rolesAndOperations = {
  roles: Object.entries(roleMeanings).map(([role, about]) => ({ role, about })),
  operations: operations.map(({ name, effect, roles }) => ({ name, effect, roles })),
};

/** Rejects every query, for paths that take none. */
export const withoutQuery: RequestHandler = ({ query }, response, next) => {
  const [name] = Object.keys(query);
  if (name === undefined) next();
  else rejectCall(response, operatorErrors.badRequest, `${name}: there is no such parameter.`);
};

const questions = ['preview', 'present'] as const;

/**
 * Whether the call only asks for a preview or the present values; undefined if it carries out the operation. Throws for every query but
 * none and one of these: what a caller takes for a question must never be carried out.
 */
function questionOf({ query }: Request): (typeof questions)[number] | undefined {
  const [[name, value] = [], ...others] = Object.entries(query);
  if (name === undefined) return undefined;
  const question = questions.find((one) => one === name);
  if (question === undefined) throw new InvalidArgument(`${name}: there is no such parameter. Give preview=true.`);
  if (value !== 'true' || others.length > 0)
    throw new InvalidArgument(`${name}: give ${name}=true once, or leave it out.`);
  return question;
}

/** Of any type: a body that is taken for none would run the operation without its arguments. */
const readShortBody = promisify(boundedJson({ maxBytes: MAX_BODY_BYTES, type: () => true }));

/** The arguments in the body. Throws 413 if it is larger than the operation takes. */
async function givenOf(operation: Operation, request: Request, response: Response): Promise<Given> {
  await readShortBody(request, response);
  return givenIn(operation.arguments, (request.body as unknown) ?? {});
}

/** The calls that one request asks about. A page of rows has some actions for each. */
const MAX_OFFERS = 200;

interface AskedOffers {
  calls: { operation: string; arguments: Record<string, unknown> }[];
}

const offers = Joi.object<AskedOffers, true>({
  calls: Joi.array()
    .items(Joi.object({ operation: Joi.string().required(), arguments: Joi.object().default({}) }))
    .max(MAX_OFFERS)
    .required(),
});

/** Says of each call what prevents it, before a page offers it. Nothing changes. */
function answerOffers({ calls, callerOf, turns, log }: Deps) {
  return async (request: Request, response: Response): Promise<void> => {
    try {
      const caller = callerOf(request);
      await readShortBody(request, response);
      const checked = offers.validate(request.body);
      if (checked.error) throw new InvalidArgument(`${checked.error.message}.`);
      const { calls: asked } = checked.value;
      const turn = await turns[turnOfOffers(asked.length)].begin(caller.id);
      try {
        const obstacles: (string | null)[] = [];
        for (const { operation: name, arguments: known } of asked) {
          const operation = operations.find((one) => one.name === name);
          if (!operation) throw new InvalidArgument(`There is no operation ${name}.`);
          obstacles.push((await calls.obstacle(caller, operation, known)) ?? null);
        }
        response.json({ obstacles });
      } finally {
        turn.release();
      }
    } catch (error) {
      if (isFault(error)) log.error({ err: error, operation: 'offers' }, 'offers failed');
      failCall(response, error);
    }
  };
}

function handle(deps: Deps, operation: Operation) {
  return async (request: Request, response: Response): Promise<void> => {
    try {
      const caller = allowedCaller(deps, operation, request);
      const work = async (given: Given) => {
        const turn = await deps.turns[turnOf(operation, formatOf(request), given)].begin(caller.id);
        try {
          if (!response.destroyed) await answerCall(deps, caller, operation, given, request, response);
        } finally {
          turn.release();
        }
      };
      if (maxFileBytesOf(operation) > 0) await withFiles(deps.turns, operation, { caller, request }, work);
      else await work(await givenOf(operation, request, response));
    } catch (error) {
      logFault(deps, operation, error);
      failCall(response, error);
    }
  };
}

async function answerCall(
  deps: Deps,
  caller: Caller,
  operation: Operation,
  given: Given,
  request: Request,
  response: Response,
): Promise<void> {
  const question = questionOf(request);
  if (question === 'preview') response.json({ preview: (await deps.calls.preview(caller, operation, given)) ?? null });
  else if (question === 'present') response.json({ present: await deps.calls.present(caller, operation, given) });
  else if ('parts' in operation) await writeDocument(deps, caller, operation, given, request, response);
  else await answer[formatOf(request)](deps, caller, operation, given, response);
}

/** The caller, who may use the operation. Throws before the body is read, because a body can be large. */
function allowedCaller({ callerOf }: Deps, operation: Operation, request: Request): Caller {
  const caller = callerOf(request);
  assertAllowed(caller, operation);
  if (questionOf(request) === undefined) assertConfirmed(caller, operation);
  return caller;
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

async function respond({ calls }: Deps, caller: Caller, operation: DataOperation, given: Given, response: Response) {
  const remarks: string[] = [];
  const listener: CallListener = { progress: () => undefined, remark: (sentence) => remarks.push(sentence) };
  const { data, mark, proposal } = await calls.run(caller, operation, given, listener);
  response.status(proposal === undefined ? 200 : 202).json({ result: data, remarks, mark, proposal });
}

/** Writes a JSON line for each report, and the result or the error in the last one. */
async function stream(deps: Deps, caller: Caller, operation: DataOperation, given: Given, response: Response) {
  // nginx would otherwise hold the lines back.
  response.set('X-Accel-Buffering', 'no').type('application/x-ndjson');
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
    write(envelope(kindOf(error), sentenceFor(response, error), detailsOf(error)));
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
  if (!isFault(error)) return;
  log.error({ err: error, statement: failedStatementText(error), operation: name }, 'an operation failed');
}

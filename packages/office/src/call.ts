/** Calls of the operators' API with the cookie of the sign-in. */
import { ApiError } from '../../client/src/errors.ts';
import { exchange, openExchange, type Exchange, type Reply } from '../../client/src/exchange.ts';
import { words } from '../../parts/src/format';
import { gate } from './route';
import type { OperationView } from './operations';
import { pageText } from './parts/page-text';

/** Milliseconds until a call times out; of a long operation, until its first line. */
const TIMEOUT_MS = 60_000;

/** A file with its bytes in base64, or with its text. */
export type GivenFile = { name: string } & ({ base64: string } | { text: string });

/** A value of an argument, as a form sends it. */
export type Value = string | number | boolean | readonly string[] | GivenFile;
export type Values = Readonly<Record<string, Value>>;

export interface Answer<T = unknown> {
  result: T;
  remarks: string[];
  /** 1: something is wrong. 2: a part needs force. */
  mark: 0 | 1 | 2;
  /** The number of what waits for a second person, instead of being done. */
  proposal?: number;
}

interface ErrorBody {
  error?: { code?: string; message?: string; confirmation_url?: string };
}

/** A rejected call. `param` is the argument that is to blame. */
export class CallError extends ApiError {
  readonly kind: string;
  /** Where the person gives the second factor again. */
  readonly confirmationUrl: string | undefined;

  constructor(status: number, body: unknown) {
    const {
      code = '',
      message = `The service responded with ${status}`,
      confirmation_url,
    } = ((body ?? {}) as ErrorBody).error ?? {};
    const shown = pageText(inWords(message));
    super({ status, headers: new Headers(), code: '', param: blamed(message), message: shown });
    this.kind = code;
    this.confirmationUrl = confirmation_url;
  }
}

/** The argument that a message of the form `costPercent: Give ...` names, as the API takes it. */
function blamed(message: string): string | undefined {
  const [, name] = /^(\w+): /.exec(message) ?? [];
  return name?.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The message with the name of its argument as the form shows it. */
function inWords(message: string): string {
  const name = blamed(message);
  return name === undefined ? message : message.replace(/^\w+/, words(name));
}

/** Reads JSON of this origin. */
export async function read<T>(path: string): Promise<T> {
  return (await replyTo({ ...request(path), method: 'GET' })).body as T;
}

/** Ends the session of this browser. */
export async function signOut(): Promise<void> {
  await exchange({ ...request('/identity/session'), method: 'DELETE' });
  location.assign(gate());
}

interface Called {
  operation: Pick<OperationView, 'path' | 'isLong'>;
  values?: Values;
  /** Gets what a long operation reports. */
  progress?: (sentence: string) => void;
  /** The page calls by itself, for example because it polls. Such a call does not keep the session alive. */
  isBackground?: boolean;
}

/** Runs an operation. Its remarks are as pages show them. */
export async function call<T>(called: Called): Promise<Answer<T>> {
  const { operation, values = {}, progress = () => undefined, isBackground = false } = called;
  const headers: Record<string, string> = isBackground ? { 'x-background-request': 'true' } : {};
  const sent = { ...request(operation.path), body: values, headers };
  const answer = operation.isLong ? await follow<T>(sent, progress) : ((await replyTo(sent)).body as Answer<T>);
  return { ...answer, remarks: answer.remarks.map(pageText) };
}

/** What an operation will do; null if it does not say. */
export async function preview({ path }: OperationView, values: Values): Promise<string | null> {
  const { body } = await replyTo({ ...request(`${path}?preview=true`), body: values });
  return (body as { preview: string | null }).preview;
}

/** A stored value; null if there is none. */
export type Present = string | number | boolean | readonly string[] | null;

/** The stored values that the operation changes, by argument. */
export async function presentValues(
  { path }: OperationView,
  subject: Values,
): Promise<Readonly<Record<string, Present>>> {
  const { body } = await replyTo({ ...request(`${path}?present=true`), body: subject });
  return (body as { present: Record<string, Present> }).present;
}

/** An operation with what is known of its arguments. */
export interface AskedAction {
  operation: string;
  arguments: Values;
}

/** What prevents each of these actions; null for one that nothing prevents. */
export async function obstacles(calls: readonly AskedAction[]): Promise<readonly (string | null)[]> {
  const { body } = await replyTo({ ...request('/ops/v1/offers'), body: { calls } });
  return (body as { obstacles: (string | null)[] }).obstacles;
}

/** The result of an operation as a file: the document that it writes, or its rows as CSV. */
export async function readText({ path }: OperationView, values: Values, accept: string): Promise<string> {
  const headers = { accept };
  const response = await openExchange({ ...request(path), body: values, headers });
  if (response.status >= 400) throw rejected(response.status, await response.json().catch(() => undefined));
  return response.text();
}

function request(path: string): Exchange {
  return { method: 'POST', url: path, headers: {}, body: undefined, timeoutMs: TIMEOUT_MS, signal: undefined };
}

async function replyTo(sent: Exchange): Promise<Reply> {
  const reply = await exchange(sent);
  if (reply.status >= 400) throw rejected(reply.status, reply.body);
  return reply;
}

/** The error of a response. A person whose session has ended goes to the sign-in, but not away from a form, which would lose its input. */
function rejected(status: number, body: unknown): CallError {
  if (status !== 401) return new CallError(status, body);
  if (document.querySelector('.operation') !== null) return new CallError(status, sessionEnded);
  location.assign(gate());
  return new CallError(status, body);
}

const sessionEnded: ErrorBody = {
  error: { message: 'Your session has ended. Sign in to the back office in another window, then repeat this here.' },
};

type Line = ErrorBody & Partial<Answer> & { progress?: string; remark?: string };

/** Reads the lines of a long operation until its result. */
async function follow<T>(sent: Exchange, progress: (sentence: string) => void): Promise<Answer<T>> {
  const response = await openExchange({ ...sent, headers: { ...sent.headers, accept: 'application/x-ndjson' } });
  if (response.status >= 400) throw rejected(response.status, await response.json().catch(() => undefined));
  const remarks: string[] = [];
  for await (const line of linesOf(response)) {
    if (line.progress !== undefined) progress(line.progress);
    if (line.remark !== undefined) remarks.push(line.remark);
    if (line.error) throw new CallError(409, line);
    if (line.mark === undefined) continue;
    const { mark, proposal } = line;
    return { result: line.result as T, remarks, mark, ...(proposal !== undefined && { proposal }) };
  }
  throw new Error('The connection ended before the result. The operation goes on: look at its result later.');
}

async function* linesOf(response: Response): AsyncGenerator<Line> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    const lines = (rest + part.value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield JSON.parse(line) as Line;
  }
}

/** How the commands reach the operations: over HTTP, at the operators' process. */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Given } from '../operations/arguments';
import type { CallListener } from '../operations/context';
import { jsonOf, OPERATOR_HEADER, pathOf } from '../operations/json-arguments';
import type { DataOperation, DocumentOperation, Form, Operation } from '../operations/operation';
import type { Login } from './operator-login';
import { callOperators } from './operators-process';
import { CommandFailed } from './output';

/** Each method throws `CommandFailed` with the message of the operation. */
export interface Door {
  /** What the operation will do; undefined if there is nothing to confirm. */
  preview(operation: Operation, given: Given): Promise<string | undefined>;
  /** `mark`: the exit code. */
  run(operation: DataOperation, given: Given, listener: CallListener): Promise<{ data: unknown; mark: number }>;
  parts(operation: DocumentOperation, given: Given, form: Form): AsyncIterable<string>;
}

/** One line of a running operation. */
interface Line {
  progress?: string;
  remark?: string;
  result?: unknown;
  mark?: number;
  error?: Rejection;
}

interface Rejection {
  code: string;
  message: string;
}

/** How long a command waits for the second factor, and how often it tries again. */
const CONFIRMATION_MS = 600_000;
const CONFIRMATION_POLL_MS = 3_000;

/** The operators' process. `operator`: the name for the audit of a local stack. `login` throws, with what to do, if no operator has logged in. */
export class RemoteDoor implements Door {
  constructor(
    private readonly login: () => Pick<Login, 'url' | 'token'>,
    private readonly operator: () => string,
  ) {}

  async preview(operation: Operation, given: Given): Promise<string | undefined> {
    const response = await this.send(operation, given, 'application/json', '?preview=true');
    const { preview } = (await response.json()) as { preview: string | null };
    return preview ?? undefined;
  }

  async run(operation: DataOperation, given: Given, { progress, remark }: CallListener) {
    const response = await this.send(operation, given, 'application/x-ndjson');
    for await (const line of linesOf(response)) {
      if (line.progress !== undefined) progress(line.progress);
      if (line.remark !== undefined) remark(line.remark);
      if (line.error) throw failureOf(line.error);
      if (line.mark !== undefined) return { data: line.result, mark: line.mark };
    }
    throw new CommandFailed(
      `The connection to ${this.login().url} ended before the operation did. The operation goes on: see what it changed with: audit list`,
    );
  }

  async *parts(operation: DocumentOperation, given: Given, form: Form): AsyncGenerator<string> {
    const response = await this.send(operation, given, form === 'json' ? 'application/json' : 'text/plain');
    for await (const part of bodyOf(response).setEncoding('utf8')) yield part as string;
  }

  /** Sends the call. If it needs the second factor again, says where the person gives it, and waits. */
  private async send(operation: Operation, given: Given, accept: string, query = ''): Promise<Response> {
    const login = this.login();
    const request = {
      method: 'POST',
      headers: { Accept: accept, [OPERATOR_HEADER]: encodeURIComponent(this.operator()) },
      body: jsonOf(given),
    } as const;
    const deadline = Date.now() + CONFIRMATION_MS;
    let isAsked = false;
    for (;;) {
      const response = await callOperators(login, pathOf(operation) + query, request);
      if (response.ok) return response;
      const rejection = await rejectionOf(response, login.url);
      if (rejection.code !== 'SECOND_FACTOR_NEEDED' || Date.now() > deadline) throw failureOf(rejection);
      if (!isAsked) console.error(rejection.message);
      isAsked = true;
      await sleep(CONFIRMATION_POLL_MS);
    }
  }
}

async function* linesOf(response: Response): AsyncGenerator<Line> {
  for await (const line of createInterface({ input: bodyOf(response) })) yield JSON.parse(line) as Line;
}

function bodyOf(response: Response): Readable {
  return Readable.fromWeb(response.body as ReadableStream);
}

function failureOf({ code, message }: Rejection): CommandFailed {
  return new CommandFailed(message, code === 'FORCE_REQUIRED' ? 2 : 1);
}

async function rejectionOf(response: Response, url: string): Promise<Rejection> {
  const body: unknown = await response.json().catch(() => undefined);
  if (typeof body === 'object' && body !== null && 'error' in body) return body.error as Rejection;
  return { code: '', message: `${url} answered with status ${response.status}: is it the operators' process?` };
}

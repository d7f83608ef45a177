/** Places orders of every family at several APIs concurrently, and waits for the end of each. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoClient, Scenario } from '../../dev/stack/stack-file';

/** Retries of the slowest scenarios wait for more than a minute. */
const PATIENCE_MS = 180_000;
const POLL_INTERVAL_MS = 1_000;

/** The largest share of order requests that may be rejected. A busy machine rejects few of them. */
const REJECTED_SHARE = 1 / 20;

interface Answer {
  status: number;
  /** Seconds to wait before the request is sent again. */
  retryAfter: number;
  body: { id?: number; status?: string; error?: { code: string } };
}

/** Counts order requests, and those of them that were rejected with 503 and sent again. */
export class OrderRequests {
  private sent = 0;
  private readonly rejected: string[] = [];

  add(): void {
    this.sent += 1;
  }

  reject(scenario: string, url: string): void {
    this.rejected.push(`${scenario} at ${url}`);
  }

  /** Signs of a release that rejects without cause: many rejections, or one scenario that an API rejects repeatedly. */
  get faults(): string[] {
    const repeated = this.rejected.filter((request, index) => this.rejected.indexOf(request) !== index);
    const tooMany =
      `${this.rejected.length} of ${this.sent} order requests were rejected with 503. ` +
      'If the machine was busy, run the proof again on an idle one';
    return [
      ...repeated.map((request) => `${request}: rejected with 503 repeatedly`),
      ...(this.rejected.length > this.sent * REJECTED_SHARE ? [tooMany] : []),
    ];
  }
}

/** A client's session at one API. Its token is also valid at the others. */
export class Session {
  private constructor(
    readonly url: string,
    readonly requests: OrderRequests,
    private readonly token: string,
  ) {}

  static async login(
    url: string,
    { api_key, api_secret }: DemoClient,
    requests: OrderRequests,
  ): Promise<Session> {
    const anonymous = new Session(url, requests, '');
    const { status, body } = await anonymous.call('POST', '/auth/login', {
      username: api_key,
      password: api_secret,
    });
    if (status !== 200) throw new Error(`${url} rejects the login: ${status}`);
    const { data } = body as { data?: { access_token: string } };
    return new Session(url, requests, data?.access_token ?? '');
  }

  /** The same session at another API. */
  at(url: string): Session {
    return new Session(url, this.requests, this.token);
  }

  async call(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.token}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    const retryAfter = Number(response.headers.get('retry-after') ?? 0);
    return { status: response.status, retryAfter, body: (await response.json()) as Answer['body'] };
  }
}

/** Sends an order request, and once more if it is rejected: a 503 means that no order exists, and that none will appear. */
async function accepted(session: Session, { name, path }: Scenario, body: object): Promise<Answer> {
  session.requests.add();
  const answer = await session.call('POST', path, body);
  if (answer.status !== 503) return answer;
  session.requests.reject(name, session.url);
  await sleep(answer.retryAfter * 1_000);
  return session.call('POST', path, body);
}

/**
 * Orders a scenario at one API and reads it at another. Returns the difference from the described outcome, if any.
 */
export async function order(
  scenario: Scenario,
  { placedAt, readAt }: { placedAt: Session; readAt: Session },
): Promise<string | undefined> {
  const { name, path, final_status: end } = scenario;
  const body = { ...scenario.body, client_reference: randomUUID() };
  const { status, body: placed } = await accepted(placedAt, scenario, body);
  if (status !== 200) return `${name} at ${placedAt.url}: ${status} ${JSON.stringify(placed)}`;
  const deadline = performance.now() + PATIENCE_MS;
  let last = placed.status;
  while (last !== end && performance.now() < deadline) {
    await sleep(POLL_INTERVAL_MS);
    last = (await readAt.call('GET', `${path}/${placed.id}`)).body.status;
  }
  return last === end ? undefined : `${name}, order ${placed.id}: ${last} instead of ${end}`;
}

/** Orders the same reference at all APIs concurrently. Returns a fault unless exactly one request was accepted. */
export async function orderOnce(
  { name, path, body }: Scenario,
  sessions: readonly Session[],
): Promise<string | undefined> {
  const reference = randomUUID();
  const answers = await Promise.all(
    sessions.map((session) => session.call('POST', path, { ...body, client_reference: reference })),
  );
  const outcomes = answers.map(({ status, body: { error } }) => error?.code ?? String(status)).sort();
  const expected = ['200', ...sessions.slice(1).map(() => 'DUPLICATE_CLIENT_REFERENCE')];
  return outcomes.join() === expected.join() ? undefined : `${name} with one reference: ${outcomes.join()}`;
}

/** Orders of every family as a client places them at several APIs at once, each followed to its end. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoClient, Scenario } from '../stack/stack-file';

/** Retries of the slowest scenarios wait for more than a minute. */
const PATIENCE_MS = 180_000;
const LOOK_EVERY_MS = 1_000;

interface Answer {
  status: number;
  body: { id?: number; status?: string; error?: { code: string } };
}

/** A client's session at one API. Its token is as good at the others. */
export class Session {
  private constructor(
    readonly url: string,
    private readonly token: string,
  ) {}

  static async login(url: string, { api_key, api_secret }: DemoClient): Promise<Session> {
    const anonymous = new Session(url, '');
    const { status, body } = await anonymous.call('POST', '/auth/login', {
      username: api_key,
      password: api_secret,
    });
    if (status !== 200) throw new Error(`${url} refuses the login: ${status}`);
    return new Session(url, (body as { data?: { access_token: string } }).data?.access_token ?? '');
  }

  /** The same session at another API. */
  at(url: string): Session {
    return new Session(url, this.token);
  }

  async call(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.token}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  }
}

/** Sends a create until it is not refused for want of room: 503 means that there is no order, and none will be. */
async function accepted(session: Session, path: string, body: object): Promise<Answer> {
  const deadline = performance.now() + PATIENCE_MS;
  let answer = await session.call('POST', path, body);
  while (answer.status === 503 && performance.now() < deadline) {
    await sleep(LOOK_EVERY_MS);
    answer = await session.call('POST', path, body);
  }
  return answer;
}

/**
 * Orders a scenario at one API and follows it at another. What it did instead of ending as described, if it did.
 */
export async function order(
  { name, path, body, final_status: end }: Scenario,
  { placedAt, readAt }: { placedAt: Session; readAt: Session },
): Promise<string | undefined> {
  const { status, body: placed } = await accepted(placedAt, path, {
    ...body,
    client_reference: randomUUID(),
  });
  if (status !== 200) return `${name} at ${placedAt.url}: ${status} ${JSON.stringify(placed)}`;
  const deadline = performance.now() + PATIENCE_MS;
  let last = placed.status;
  while (last !== end && performance.now() < deadline) {
    await sleep(LOOK_EVERY_MS);
    last = (await readAt.call('GET', `${path}/${placed.id}`)).body.status;
  }
  return last === end ? undefined : `${name}, order ${placed.id}: ${last} instead of ${end}`;
}

/** Orders the same reference everywhere at once. What was wrong, unless exactly one of them was accepted. */
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

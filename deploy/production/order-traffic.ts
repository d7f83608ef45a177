/** Places orders of every family at several APIs concurrently, and waits for the end of each. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, ApiClient } from '../../dev/stack/api-client';
import type { Scenario } from '../../dev/stack/stack-file';

/** Retries of the slowest scenarios wait for more than a minute. */
const PATIENCE_MS = 180_000;
const POLL_INTERVAL_MS = 1_000;

/** The largest share of order requests that may be rejected. A busy machine rejects few of them. */
const REJECTED_SHARE = 1 / 20;

interface Placed {
  id?: number;
  status?: string;
  error?: { code: string };
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

/** Sends an order request, and once more if it is rejected: a 503 means that no order exists, and that none will appear. */
async function accepted(
  api: ApiClient,
  { name, path }: Scenario,
  body: object,
  requests: OrderRequests,
): Promise<Answer<Placed>> {
  requests.add();
  const answer = await api.call<Placed>('POST', path, body);
  if (answer.status !== 503) return answer;
  requests.reject(name, api.url);
  await sleep(Number(answer.headers.get('retry-after') ?? 0) * 1_000);
  return api.call('POST', path, body);
}

/**
 * Orders a scenario at one API and reads it at another. Returns the difference from the described outcome, if any.
 */
export async function order(
  scenario: Scenario,
  { placedAt, readAt }: { placedAt: ApiClient; readAt: ApiClient },
  requests: OrderRequests,
): Promise<string | undefined> {
  const { name, path, final_status: end } = scenario;
  const body = { ...scenario.body, client_reference: randomUUID() };
  const { status, body: placed } = await accepted(placedAt, scenario, body, requests);
  if (status !== 200) return `${name} at ${placedAt.url}: ${status} ${JSON.stringify(placed)}`;
  const deadline = performance.now() + PATIENCE_MS;
  let last = placed.status;
  while (last !== end && performance.now() < deadline) {
    await sleep(POLL_INTERVAL_MS);
    last = (await readAt.call<Placed>('GET', `${path}/${placed.id}`)).body.status;
  }
  return last === end ? undefined : `${name}, order ${placed.id}: ${last} instead of ${end}`;
}

/** Orders the same reference at all APIs concurrently. Returns a fault unless exactly one request was accepted. */
export async function orderOnce(
  { name, path, body }: Scenario,
  sessions: readonly ApiClient[],
): Promise<string | undefined> {
  const reference = randomUUID();
  const answers = await Promise.all(
    sessions.map((session) => session.call<Placed>('POST', path, { ...body, client_reference: reference })),
  );
  const outcomes = answers.map(({ status, body: { error } }) => error?.code ?? String(status)).sort();
  const expected = ['200', ...sessions.slice(1).map(() => 'DUPLICATE_CLIENT_REFERENCE')];
  return outcomes.join() === expected.join() ? undefined : `${name} with one reference: ${outcomes.join()}`;
}

/** A person who is no longer the client: the token of a revoked key and the cookie of its session in the console. */
import { ApiClient, type Credentials } from '../../stack/api-client';
import { collections } from '../plan/orders';
import type { ApiUser } from './client';
import type { Operators } from './operators';

/** Streams of calls, each with one call at a time. */
const AT_ONCE = 2;
const TIMEOUT_MS = 5_000;

export class EndedAccess {
  /** The statuses of order requests, by who sent them. */
  readonly answers = new Map<string, number>();

  private constructor(
    private readonly apiUrl: string,
    private readonly callers: Readonly<Record<string, { prefix: string; headers: Record<string, string> }>>,
    private readonly body: object,
  ) {}

  /** Opens sessions with another key of the client, and revokes the key. */
  static async of(user: ApiUser, operators: Operators, apiUrl: string): Promise<EndedAccess> {
    const [key] = await operators.rows<Credentials>('keys', 'create', user.name);
    if (!key) throw new Error('The client got no second key');
    const token = await new ApiClient(apiUrl, key).accessToken();
    const cookie = await signIn(apiUrl, key);
    const { ok, text } = await operators.run('keys', 'revoke', key.api_key, '--yes');
    if (!ok) throw new Error(text);
    const scenario = user.scenarios.find(({ name }) => name === 'voucher_instant');
    return new EndedAccess(
      apiUrl,
      {
        'revoked key': { prefix: '', headers: { authorization: `Bearer ${token}` } },
        'dead cookie': { prefix: '/console', headers: { ...fromConsole, cookie } },
      },
      { ...scenario?.body, wallet_id: user.wallet.id },
    );
  }

  /** Orders again and again. Returns the function that ends it. */
  begin(): () => Promise<void> {
    const ended = new AbortController();
    const streams = Object.keys(this.callers).flatMap((caller) =>
      Array.from({ length: AT_ONCE }, () => this.orderUntil(ended.signal, caller)),
    );
    return async () => {
      ended.abort();
      await Promise.all(streams);
    };
  }

  private async orderUntil(ended: AbortSignal, caller: string): Promise<void> {
    const { prefix = '', headers } = this.callers[caller] ?? {};
    while (!ended.aborted) {
      const response = await fetch(this.apiUrl + prefix + collections.VOUCHER, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(this.body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }).catch(() => undefined);
      await response?.body?.cancel();
      const name = `${response?.status ?? 'no answer'} to a ${caller}`;
      this.answers.set(name, (this.answers.get(name) ?? 0) + 1);
    }
  }
}

/** The headers that the console's own pages send with every request. */
const fromConsole = { 'x-requested-with': 'console', 'sec-fetch-site': 'same-origin' };

async function signIn(apiUrl: string, key: Credentials): Promise<string> {
  const response = await fetch(`${apiUrl}/console/session`, {
    method: 'POST',
    headers: { ...fromConsole, 'content-type': 'application/json' },
    body: JSON.stringify(key),
  });
  await response.body?.cancel();
  const [cookie = ''] = response.headers.getSetCookie();
  if (response.status !== 200) throw new Error(`The console refused the key: ${response.status}`);
  return cookie.split(';')[0] ?? '';
}

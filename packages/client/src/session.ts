/** The session of a client. It is renewed before it expires, once for all waiting calls. */
import { apiError, DigitalGoodsError, type ErrorAnswer } from './errors.ts';
import type { Reply } from './exchange.ts';

/** The response to login and refresh. */
interface TokenPair {
  access_token: string;
  refresh_token: string;
  access_expires_at: string;
}

/** Sends a call without a token. */
export type Send = (path: string, body: object) => Promise<Reply>;

/** An access token is renewed this long before it expires. */
const MARGIN_MS = 30_000;

export class Session {
  // `#` keeps the secrets out of `JSON.stringify` and `util.inspect`; `private` would not.
  readonly #credentials: { apiKey: string; apiSecret: string };
  readonly #send: Send;
  #access: { token: string; until: number } | undefined;
  #refreshToken: string | undefined;
  #renewal: Promise<string> | undefined;

  constructor(credentials: { apiKey: string; apiSecret: string }, send: Send) {
    this.#credentials = credentials;
    this.#send = send;
  }

  /** Returns a valid access token. Throws if the login fails; then the call was not sent. */
  async token(): Promise<string> {
    if (this.#access && performance.now() < this.#access.until) return this.#access.token;
    this.#renewal ??= this.#renew().finally(() => (this.#renewal = undefined));
    return this.#renewal;
  }

  /** Returns a new token in place of one that the service rejected. */
  async tokenInsteadOf(rejected: string): Promise<string> {
    if (this.#access?.token === rejected) this.#access = undefined;
    return this.token();
  }

  /**
   * Refreshes the session, or logs in if there is none or the refresh fails. A refresh token is sent once, because a second use
   * would end the session.
   * docs/specification.md#authentication.
   */
  async #renew(): Promise<string> {
    const refreshToken = this.#refreshToken;
    this.#refreshToken = undefined;
    try {
      const refreshed = refreshToken === undefined ? undefined : await this.#refresh(refreshToken);
      return this.#take(refreshed ?? (await this.#login()));
    } catch (error) {
      // The call that needs the token was not sent.
      if (error instanceof DigitalGoodsError) error.mayHaveTakenEffect = false;
      throw error;
    }
  }

  async #refresh(refreshToken: string): Promise<Reply | undefined> {
    const reply = await this.#send('/auth/refresh', { refresh_token: refreshToken }).catch(() => undefined);
    return reply?.status === 200 ? reply : undefined;
  }

  #login(): Promise<Reply> {
    const { apiKey, apiSecret } = this.#credentials;
    return this.#send('/auth/login', { username: apiKey, password: apiSecret });
  }

  #take(reply: Reply): string {
    if (reply.status !== 200) throw apiError(errorAnswerOf(reply));
    const { data } = reply.body as { data: TokenPair };
    // Both times come from the clock of the service, because the local clock may be wrong.
    const now = Date.parse(reply.headers.get('date') ?? '') || Date.now();
    const lifetimeMs = Date.parse(data.access_expires_at) - now;
    this.#access = { token: data.access_token, until: performance.now() + lifetimeMs - MARGIN_MS };
    this.#refreshToken = data.refresh_token;
    return data.access_token;
  }
}

/** Returns the parts of an error response. A proxy may respond without the error envelope. */
export function errorAnswerOf({ status, headers, body }: Reply): ErrorAnswer {
  const { error } = (body ?? {}) as { error?: { code?: ErrorAnswer['code']; message?: string; param?: string } };
  return {
    status,
    headers,
    code: error?.code ?? '',
    param: error?.param,
    message: error?.message ?? `The service responded with ${status}`,
  };
}

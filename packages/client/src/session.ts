/** The login of a client, kept for as long as it holds and renewed once for all calls that need it. */
import { apiError, DigitalGoodsError, type ErrorAnswer } from './errors.ts';
import type { Reply } from './exchange.ts';

/** What login and refresh answer. */
interface TokenPair {
  access_token: string;
  refresh_token: string;
  access_expires_at: string;
}

/** Sends a call without a token. */
export type Send = (path: string, body: object) => Promise<Reply>;

/** An access token is renewed so long before it ends. */
const MARGIN_MS = 30_000;

export class Session {
  // Private to the language, not to the compiler alone: neither JSON nor an inspection of any depth shows them.
  readonly #credentials: { apiKey: string; apiSecret: string };
  readonly #send: Send;
  #access: { token: string; until: number } | undefined;
  #refreshToken: string | undefined;
  #renewal: Promise<string> | undefined;

  constructor(credentials: { apiKey: string; apiSecret: string }, send: Send) {
    this.#credentials = credentials;
    this.#send = send;
  }

  /** An access token that holds as far as we know. Throws where there is none to be had: then no call was made with it. */
  async token(): Promise<string> {
    if (this.#access && performance.now() < this.#access.until) return this.#access.token;
    this.#renewal ??= this.#renew().finally(() => (this.#renewal = undefined));
    return this.#renewal;
  }

  /** Another token than this one, which the service has refused. */
  async tokenInsteadOf(refused: string): Promise<string> {
    if (this.#access?.token === refused) this.#access = undefined;
    return this.token();
  }

  /**
   * A refresh token is sent once, whatever becomes of that call: sent again it would end the session. Where it does not
   * lead to a new pair, a login does. docs/specification.md#authentication.
   */
  async #renew(): Promise<string> {
    const refreshToken = this.#refreshToken;
    this.#refreshToken = undefined;
    try {
      const refreshed = refreshToken === undefined ? undefined : await this.#refresh(refreshToken);
      return this.#take(refreshed ?? (await this.#login()));
    } catch (error) {
      // Whatever became of the login, the call that needs it was not made.
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
    // By the service's clock on both sides: ours may be wrong.
    const now = Date.parse(reply.headers.get('date') ?? '') || Date.now();
    const lifetimeMs = Date.parse(data.access_expires_at) - now;
    this.#access = { token: data.access_token, until: performance.now() + lifetimeMs - MARGIN_MS };
    this.#refreshToken = data.refresh_token;
    return data.access_token;
  }
}

/** What an error answer tells. Something between us and the service may have answered without the error envelope. */
export function errorAnswerOf({ status, headers, body }: Reply): ErrorAnswer {
  const { error } = (body ?? {}) as { error?: { code?: ErrorAnswer['code']; message?: string } };
  return { status, headers, code: error?.code ?? '', message: error?.message ?? `Answered ${status}` };
}

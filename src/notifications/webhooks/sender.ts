/** Sends one webhook and reports the status of the response, never its content. */
import { byWord } from '../../domain/by-word';
import { setImmediate } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { retryAfterMs } from '../../domain/time';
import { ATTEMPT_TIMEOUT_MS, isSuccess, type AttemptResult } from '../../domain/webhooks/delivery-rules';
import { guardedConnector, type AddressRules, type ResolveName } from './addresses';
import { KeptConnections } from './kept-connections';

/**
 * A response's body is read and discarded, so that its connection can be reused. Beyond either limit, the connection is closed;
 * the status of the response is still the result of the attempt.
 */
const BODY_LIMIT_BYTES = 16_384;
const BODY_TIMEOUT_MS = 1_000;
/** How long an unused connection stays open, even if the endpoint allows more (undici: up to ten minutes). */
const KEEP_ALIVE_MS = 4_000;

export interface WebhookSender {
  /** Posts the text. Never throws: an error is an unsuccessful attempt. */
  send(url: string, headers: Record<string, string>, body: string): Promise<AttemptResult>;
  close(): Promise<void>;
}

/**
 * A sender with connections of its own, kept alive between webhooks. If the receiver has closed a kept-alive connection, the
 * request is repeated once, at once, on a new connection, as the same attempt.
 */
export function createWebhookSender(rules: AddressRules, resolveName?: ResolveName): WebhookSender {
  const connect = guardedConnector(rules, resolveName);
  const kept = new KeptConnections();
  const agent = new Agent({ connect: kept.knownFrom(connect), pipelining: 1, keepAliveMaxTimeout: KEEP_ALIVE_MS });
  // Without pipelining, undici opens a connection for each request.
  const newConnections = new Agent({ connect, pipelining: 0 });
  return {
    async send(url, headers, body) {
      const began = performance.now();
      const signal = AbortSignal.timeout(ATTEMPT_TIMEOUT_MS);
      const postBy = (dispatcher: Agent) => post(dispatcher, url, { headers, body, signal });
      const outcome = await postBy(agent)
        .catch((error: unknown) => {
          if (!kept.wasClosedBefore(error)) throw error;
          return postBy(newConnections);
        })
        .catch(failed);
      return { ...outcome, durationMs: performance.now() - began };
    },
    async close() {
      kept.close();
      await Promise.all([agent.destroy(), newConnections.destroy()]);
    },
  };
}

/** Calls `observe` with the result and duration of every attempt of `sender`. */
export function observedSender(
  sender: WebhookSender,
  observe: (outcome: string, seconds: number) => void,
): WebhookSender {
  return {
    async send(url, headers, body) {
      const result = await sender.send(url, headers, body);
      observe(outcomeOf(result), result.durationMs / 1_000);
      return result;
    },
    close: () => sender.close(),
  };
}

function outcomeOf(result: AttemptResult): string {
  if (isSuccess(result)) return 'delivered';
  return result.status === null ? 'unreachable' : 'refused';
}

async function post(
  dispatcher: Agent,
  url: string,
  { headers, body, signal }: { headers: Record<string, string>; body: string; signal: AbortSignal },
): Promise<Omit<AttemptResult, 'durationMs'>> {
  const response = await request(url, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'digital-goods-webhooks/1', ...headers },
    body,
    signal,
  });
  const bodySignal = AbortSignal.timeout(BODY_TIMEOUT_MS);
  await response.body.dump({ limit: BODY_LIMIT_BYTES, signal: bodySignal }).catch(() => undefined);
  // Lets undici release the connection first. Otherwise the next webhook would open another connection.
  await setImmediate();
  const delayMs = retryAfterMs(response.headers['retry-after'], Date.now()) ?? 0;
  return { status: response.statusCode, error: null, retryAfterMs: delayMs };
}

/** The texts that clients read for network errors. Every other error is `failed`. */
const causes = byWord({
  AddressRejected: 'address not allowed',
  TimeoutError: 'timed out',
  UND_ERR_CONNECT_TIMEOUT: 'timed out',
  UND_ERR_HEADERS_TIMEOUT: 'timed out',
  ETIMEDOUT: 'timed out',
  ETIMEOUT: 'name not found',
  ENOTFOUND: 'name not found',
  ENODATA: 'name not found',
  ESERVFAIL: 'name not found',
  EREFUSED: 'name not found',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed',
  EPIPE: 'connection closed',
  UND_ERR_SOCKET: 'connection closed',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'host unreachable',
  CERT_HAS_EXPIRED: 'certificate not trusted',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate not trusted',
});

function failed({ code = '', name }: NodeJS.ErrnoException): Omit<AttemptResult, 'durationMs'> {
  return { status: null, error: causes[code] ?? causes[name] ?? 'failed', retryAfterMs: 0 };
}

/** The Temporal UI's server. Requests to it are built here, and nothing of a caller's request reaches it that is not named here. */
import { request as send, type Dispatcher } from 'undici';
import { plainPath } from './plain-path';

/** Where browsers find the UI, and where its server has it: `--ui-public-path`, `TEMPORAL_UI_PUBLIC_PATH`. */
export const publicPath = '/temporal';

/** Longer than the long polls of histories and the wait for the result of an update. */
const TIMEOUT_MS = 120_000;

/**
 * The UI's server compares a cookie with a header, so that no other site can send calls. Ours checks the origin instead, and no cookie
 * of a browser reaches that server.
 */
const csrf = { cookie: '_csrf=proxy', 'x-csrf-token': 'proxy' };

export interface UiRequest {
  method: 'GET' | 'POST';
  /** Below the public path. */
  segments: readonly string[];
  query?: URLSearchParams;
  /** Sent as JSON. */
  body?: object;
  acceptsGzip?: boolean;
  /** Ends the request when its caller is gone. Absent: it goes on to its end, as a change must. */
  signal?: AbortSignal;
}

/** Where the UI's server is, and what it needs to call Temporal. */
export interface UiAccess {
  /** No other process should reach it. */
  uiUrl: string;
  /** The only namespace whose calls pass. */
  namespace: string;
  /** Temporal's API key, for which the UI's server has no setting. */
  apiKey: string | undefined;
}

export class UiServer {
  private readonly origin: string;
  /** What the UI's server passes on to Temporal: the key by itself, the namespace by TEMPORAL_FORWARD_HEADERS. */
  private readonly credentials: Readonly<Record<string, string>>;

  constructor({ uiUrl, namespace, apiKey }: UiAccess) {
    this.origin = new URL(uiUrl).origin;
    this.credentials =
      apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}`, 'temporal-namespace': namespace };
  }

  /** Throws if the server does not respond. */
  send({ method, segments, query, body, acceptsGzip, signal }: UiRequest): Promise<Dispatcher.ResponseData> {
    const search = query && query.size > 0 ? `?${query.toString()}` : '';
    return send(`${this.origin}${publicPath}${plainPath(segments)}${search}`, {
      method,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
      ...(signal && { signal }),
      headers: {
        accept: '*/*',
        ...(segments[0] === 'api' && this.credentials),
        ...(acceptsGzip && { 'accept-encoding': 'gzip' }),
        ...(method === 'POST' && { ...csrf, 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  }
}

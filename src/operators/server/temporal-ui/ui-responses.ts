/** Responses of the Temporal UI's server as browsers get them: with our headers, and without its cookies. */
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import type { Request, RequestHandler, Response } from 'express';
import type { Dispatcher } from 'undici';

/** Undefined if the server did not respond; the response then says so. */
type Upstream = Dispatcher.ResponseData | undefined;

/** The codes of gRPC that the UI expects in an error. */
const grpcCodes: Readonly<Record<number, number>> = { 400: 3, 401: 16, 403: 7, 404: 5, 413: 3, 502: 14, 503: 14 };

/** Rejects a call in the form of Temporal's errors, whose message the UI shows. */
export function reject(response: Response, status: number, message: string, more: object = {}): void {
  if (response.headersSent) return void response.destroy();
  setHeaders(response, nothing);
  response.status(status).json({ code: grpcCodes[status] ?? 2, message, details: [], ...more });
}

/** Where an open page of the UI asks for the version of its server. */
export const versionPath = '/_app/version.json';

/**
 * The answer about the version without a session. A page that cannot load a part of itself asks for the version. If it is another one, the
 * browser opens the address of that part anew, which leads to the sign-in and back.
 */
export function sayOtherVersion(response: Response): void {
  setHeaders(response, nothing);
  response.json({ version: 'signed out' });
}

/** A policy for what is no document. */
const nothing = "default-src 'none'; frame-ancestors 'none'";

/** The policy for the pages of the UI: nothing from other hosts, and nothing to them, such as payloads to another codec server. */
const pagePolicy = (scripts: readonly string[]) =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "frame-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

function setHeaders(response: Response, contentSecurityPolicy: string, cacheControl = 'no-store'): void {
  response.set({
    'Cache-Control': cacheControl,
    'Content-Security-Policy': contentSecurityPolicy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
  });
}

export const restrictApi: RequestHandler = (_request, response, next) => {
  setHeaders(response, nothing);
  next();
};

/** The document of all pages. With a public path its server sets no policy, so this one names the inline scripts by their hashes. */
export async function passPage(upstream: Upstream, response: Response): Promise<void> {
  if (!upstream) return;
  const html = await upstream.body.text();
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  setHeaders(response, pagePolicy(scripts));
  response.status(upstream.statusCode).type('html').send(html);
}

/** Files whose names contain a hash of their content never change. */
export async function passAsset(upstream: Upstream, response: Response): Promise<void> {
  if (!upstream) return;
  const isImmutable = response.req.path.startsWith('/_app/immutable/') && upstream.statusCode === 200;
  setHeaders(response, nothing, isImmutable ? 'private, max-age=31536000, immutable' : 'no-store');
  await passBody(upstream, response);
}

/** A frame of the UI. Its server's policy allows no script in it; without this policy, it is not passed. */
export async function passDetails(upstream: Upstream, request: Request, response: Response): Promise<void> {
  if (!upstream) return;
  const policy = upstream.headers['content-security-policy'];
  const isFrame = (request.get('sec-fetch-site') ?? 'same-origin') === 'same-origin';
  if (typeof policy !== 'string' || !policy.includes('sandbox') || !isFrame) {
    await upstream.body.dump();
    return reject(response, 403, 'Only the Temporal UI shows these details.');
  }
  setHeaders(response, policy);
  await passBody(upstream, response);
}

/** A response of Temporal. `change`: of the JSON of a success. */
export async function passApiResponse(
  upstream: Upstream,
  response: Response,
  change?: (body: object) => object,
): Promise<void> {
  if (!upstream) return;
  setHeaders(response, nothing);
  if (!change || upstream.statusCode !== 200) return passBody(upstream, response);
  response.json(change((await upstream.body.json()) as object));
}

const passedHeaders = ['content-type', 'content-encoding', 'content-length'];

async function passBody({ statusCode, headers, body }: Dispatcher.ResponseData, response: Response): Promise<void> {
  response.status(statusCode).vary('Accept-Encoding');
  for (const name of passedHeaders) {
    const value = headers[name];
    if (typeof value === 'string') response.set(name, value);
  }
  // A caller who is gone ends the response of the UI's server, too.
  await pipeline(body, response).catch(() => response.destroy());
}

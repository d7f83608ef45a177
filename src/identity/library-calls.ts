/** Calls of the library's routes. The library sees the caller's cookies, Origin and address, and answers with cookies and JSON. */
import type { Request, Response as ExpressResponse } from 'express';
import { ADDRESS_HEADER, LIBRARY_PATH, type Library } from './library';
import type { IdentitySettings } from './settings';
import { isObject } from '../domain/unknown-values';

/** The library's response. */
export interface LibraryResponse {
  ok: boolean;
  status: number;
  cookies: string[];
  location: string | undefined;
  body: Readonly<Record<string, unknown>>;
}

/** The headers that name a session. The library acts in the session that our own code finds only if it reads all of them. */
export const sessionHeaders = ['cookie', 'authorization'];
/** Headers of the caller that the library reads. All others, such as forwarded addresses, stay out. */
const always = [...sessionHeaders, 'user-agent'];
const aboutOrigin = ['origin', 'sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest'];

/**
 * Calls a route of the library for a request. Without a body it is a GET. A request that has not come from a form of ours, such as the
 * one that begins a sign-in at the provider, is made in the name of our own pages (`isOwn`).
 */
export async function callLibrary(
  library: Library,
  { origin }: Pick<IdentitySettings, 'origin'>,
  request: Request,
  path: string,
  { body, isOwn = false }: { body?: object; isOwn?: boolean } = {},
): Promise<LibraryResponse> {
  const headers = new Headers({ [ADDRESS_HEADER]: request.ip ?? '' });
  for (const name of isOwn ? always : [...always, ...aboutOrigin]) {
    const value = request.get(name);
    if (value !== undefined) headers.set(name, value);
  }
  if (isOwn) headers.set('origin', origin);
  if (body) headers.set('content-type', 'application/json');
  const response = await library.handler(
    new globalThis.Request(`${origin}${LIBRARY_PATH}${path}`, {
      method: body ? 'POST' : 'GET',
      headers,
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
  const text = await response.text();
  return {
    ok: response.ok,
    status: response.status,
    cookies: response.headers.getSetCookie(),
    location: response.headers.get('location') ?? undefined,
    body: objectIn(text),
  };
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Passes the cookies that the library sets on to the browser, before those of our own: the session is the first. */
export function passCookies(response: ExpressResponse, { cookies }: Pick<LibraryResponse, 'cookies'>): void {
  const own = [response.getHeader('Set-Cookie') ?? []].flat().map(String);
  response.setHeader('Set-Cookie', [...cookies, ...own]);
}

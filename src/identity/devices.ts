/** How a door knows a device again: a browser by a cookie, the ops CLI by its machine and address. It opens nothing by itself. */
import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { siteNetworkOf } from '../domain/clients/networks';
import { day } from '../domain/time';
import type { IdentitySettings } from './settings';
import { tokenHash } from './tokens';

/** The maximum of browsers. */
const COOKIE_DAYS = 400;

type Door = Pick<IdentitySettings, 'origin' | 'cookiePrefix'>;

/** `__Host-`: no page of another host, such as a neighbour's, can set the cookie. */
function cookieOf({ origin, cookiePrefix }: Door): { name: string; secure: boolean } {
  const secure = origin.startsWith('https:');
  return { name: `${secure ? '__Host-' : ''}${cookiePrefix}.browser`, secure };
}

/** The value of the cookie of this name; undefined if this service did not make it. */
function storedIn({ headers: { cookie = '' } }: Request, name: string): string | undefined {
  const pair = cookie.split(';').find((each) => each.trim().startsWith(`${name}=`));
  return /=([\w-]{43})$/.exec(pair?.trim() ?? '')?.[1];
}

/** The hash of the browser that makes the request; undefined if it has no cookie yet. */
export function browserOf(door: Door, request: Request): Buffer | undefined {
  const value = storedIn(request, cookieOf(door).name);
  return value === undefined ? undefined : tokenHash(value);
}

/** The hash of the browser that makes the request, which gets the cookie or keeps it for another 400 days. */
export function keepBrowser(door: Door, request: Request, response: Response): Buffer {
  const { name, secure } = cookieOf(door);
  const value = storedIn(request, name) ?? randomBytes(32).toString('base64url');
  response.cookie(name, value, { httpOnly: true, sameSite: 'lax', secure, maxAge: COOKIE_DAYS * day });
  return tokenHash(value);
}

/** The /24 or /48 network of the browser, for which its wrong codes count. */
export function networkOfBrowser({ ip }: Request): string {
  return siteNetworkOf(ip ?? null) ?? 'unknown';
}

/** The hash of an ops CLI. Its machine is what it calls itself. */
export function cliOf(machine: string, address: string): Buffer {
  return tokenHash(JSON.stringify(['ops CLI', machine, address]));
}

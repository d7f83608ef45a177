/** The cookie of a key's session: a signed token that the browser keeps. */
import type { CookieOptions, Request, Response } from 'express';
import { errors } from '../../domain/errors';
import { verifyToken, type TokenClaims } from '../../security/tokens';
import type { Config } from '../../settings/config';
import type { Dependencies } from '../dependencies';

type Mode = Pick<Config, 'mode'>;

/** A browser accepts a `__Host-` cookie only from this host and over TLS: no neighbouring host name can set one. */
const cookieNames = { production: '__Host-console_session', sandbox: 'console_session' } as const;

/** The claims of the cookie; undefined unless this service signed it and it has not expired. Throws 400 if there are two cookies. */
export function cookieClaims(
  { config, keyRing }: Pick<Dependencies, 'config' | 'keyRing'>,
  request: Request,
): TokenClaims | undefined {
  const token = sentToken(config, request);
  return token === undefined ? undefined : verifyToken(keyRing, 'console', token);
}

/** The token that the browser sent; undefined without one. If there are two, one of them is forged. */
function sentToken({ mode }: Mode, request: Request): string | undefined {
  const cookies = (request.get('cookie') ?? '').split(';').map((cookie) => cookie.trim());
  const sent = cookies.filter((cookie) => cookie.startsWith(`${cookieNames[mode]}=`));
  if (sent.length > 1) throw errors.malformedRequest();
  return sent[0]?.slice(cookieNames[mode].length + 1);
}

export function setSessionCookie(
  config: Mode,
  request: Request,
  response: Response,
  { token, expiresAt }: { token: string; expiresAt: Date },
): void {
  response.cookie(cookieNames[config.mode], token, { ...optionsFor(config, request), expires: expiresAt });
}

export function clearSessionCookie(config: Mode, request: Request, response: Response): void {
  response.clearCookie(cookieNames[config.mode], optionsFor(config, request));
}

function optionsFor({ mode }: Mode, request: Request): CookieOptions {
  return {
    // A `__Host-` cookie is for every path.
    path: mode === 'production' ? '/' : '/console',
    httpOnly: true,
    sameSite: 'strict',
    // Production has TLS in front, even if its proxy is not in the list of trusted ones.
    secure: request.secure || mode === 'production',
  };
}

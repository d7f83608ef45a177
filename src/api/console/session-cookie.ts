/** The cookie that carries a session of the console: a signed token, which no script reads and no log holds. */
import type { CookieOptions, Request, Response } from 'express';
import type { Config } from '../../config';
import { errors } from '../../domain/errors';

type Mode = Pick<Config, 'mode'>;

/** A browser takes a `__Host-` cookie from this host alone, and over TLS: no neighbouring host name can set one. */
const names = { production: '__Host-console_session', sandbox: 'console_session' } as const;

/** The token that the browser sent; undefined where it sent none. Throws 400 where there are two: one is not the browser's own. */
export function sentToken({ mode }: Mode, request: Request): string | undefined {
  const cookies = (request.get('cookie') ?? '').split(';').map((cookie) => cookie.trim());
  const sent = cookies.filter((cookie) => cookie.startsWith(`${names[mode]}=`));
  if (sent.length > 1) throw errors.malformedRequest();
  return sent[0]?.slice(names[mode].length + 1);
}

/** Has the browser keep the token until it expires. */
export function keepToken(
  config: Mode,
  request: Request,
  response: Response,
  { token, expiresAt }: { token: string; expiresAt: Date },
): void {
  response.cookie(names[config.mode], token, { ...optionsFor(config, request), expires: expiresAt });
}

/** Has the browser forget its token. */
export function forgetToken(config: Mode, request: Request, response: Response): void {
  response.clearCookie(names[config.mode], optionsFor(config, request));
}

function optionsFor({ mode }: Mode, request: Request): CookieOptions {
  return {
    // A `__Host-` cookie is for every path.
    path: mode === 'production' ? '/' : '/console',
    httpOnly: true,
    sameSite: 'strict',
    // In production there is TLS in front, whether its proxy is trusted to say so or not.
    secure: request.secure || mode === 'production',
  };
}

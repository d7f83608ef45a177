/** The cookie that carries a session of the console: a signed token, which no script reads and no log holds. */
import type { CookieOptions, Request, Response } from 'express';
import type { Config } from '../../config';

type Mode = Pick<Config, 'mode'>;

const NAME = 'console_session';

/** The token that the browser sent; undefined where it sent none. */
export function sentToken(request: Request): string | undefined {
  return new RegExp(`(?:^|;\\s*)${NAME}=([^;]+)`).exec(request.get('cookie') ?? '')?.[1];
}

/** Has the browser keep the token until it expires. */
export function keepToken(
  config: Mode,
  request: Request,
  response: Response,
  { token, expiresAt }: { token: string; expiresAt: Date },
): void {
  response.cookie(NAME, token, { ...optionsFor(config, request), expires: expiresAt });
}

/** Has the browser forget its token. */
export function forgetToken(config: Mode, request: Request, response: Response): void {
  response.clearCookie(NAME, optionsFor(config, request));
}

function optionsFor({ mode }: Mode, request: Request): CookieOptions {
  return {
    path: '/console',
    httpOnly: true,
    sameSite: 'strict',
    // In production there is TLS in front, whether its proxy is trusted to say so or not.
    secure: request.secure || mode === 'production',
  };
}

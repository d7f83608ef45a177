/** The scopes of the caller's API key. docs/specification.md#scopes. */
import type { RequestHandler, Response } from 'express';
import type { SessionClient } from '../../data/clients/clients';
import type { Scope } from '../../domain/clients/scopes';
import { errors } from '../../domain/errors';

/** Whether the key has the scope now, regardless of when its token was issued. */
export function hasScope(response: Response, scope: Scope): boolean {
  return (response.locals.client as SessionClient).scopes.includes(scope);
}

/** Rejects calls of keys without the scope: 403. */
export function requireScope(scope: Scope): RequestHandler {
  return (_request, response, next) => {
    if (!hasScope(response, scope)) throw errors.scopeMissing(scope);
    next();
  };
}

/** The scopes of the caller's API key, or of the member's role. docs/specification.md#scopes. */
import type { RequestHandler, Response } from 'express';
import type { Scope } from '../../domain/clients/scopes';
import { errors } from '../../domain/errors';
import { clientOf, ownerOf } from './caller';

/** Whether the caller has the scope now, regardless of when its token was issued. */
export function hasScope(response: Response, scope: Scope): boolean {
  return clientOf(response).scopes.includes(scope);
}

/** Rejects calls without the scope: 403. */
export function requireScope(scope: Scope): RequestHandler {
  return (_request, response, next) => {
    if (!hasScope(response, scope))
      throw ownerOf(response).memberId === null ? errors.scopeMissing(scope) : errors.roleLacks(scope);
    next();
  };
}

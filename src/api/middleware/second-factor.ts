/** The second factor of members, before they change who has access. docs/operators/people.md#members-of-clients. */
import type { RequestHandler } from 'express';
import { errors } from '../../domain/errors';
import { sessionOf } from '../console/session';

/** Rejects the call of a member whose second factor is older than 10 minutes: 403. API keys and members without one pass. */
export const requireRecentSecondFactor: RequestHandler = (_request, response, next) => {
  const session = sessionOf(response);
  if (session?.member && session.hasSecondFactor && !session.isSecondFactorRecent) throw errors.secondFactorNeeded();
  next();
};

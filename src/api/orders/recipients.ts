/** Orders for members who may not see recipients. docs/specification.md#members. */
import type { Response } from 'express';
import type { SessionClient } from '../../data/clients/clients';

/** The order as JSON for the caller: without its recipient if the caller's role does not see recipients. */
export function forCaller(response: Response, shown: object): object {
  if ((response.locals.client as SessionClient).seesRecipients) return shown;
  return withoutRecipient(shown);
}

function withoutRecipient(shown: { email?: unknown; input_data?: unknown }): object {
  const { email: _email, ...rest } = shown;
  return 'input_data' in rest ? { ...rest, input_data: {} } : rest;
}

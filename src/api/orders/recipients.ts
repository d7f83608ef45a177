/** Orders and claims for members who may not see recipients. docs/specification.md#members. */
import type { Response } from 'express';
import { clientOf } from '../middleware/caller';

/** Whether the caller's role sees recipients. Every key does. */
export function seesRecipients(response: Response): boolean {
  return clientOf(response).seesRecipients;
}

/** The order as JSON for the caller: without its recipient if the caller's role does not see recipients. */
export function forCaller(response: Response, shown: object): object {
  return seesRecipients(response) ? shown : withoutRecipient(shown);
}

/** The serial number of a SIM identifies the recipient's device. */
function withoutRecipient(shown: { email?: unknown; input_data?: unknown; iccid?: unknown }): object {
  const { email: _email, ...rest } = shown;
  return { ...rest, ...('input_data' in rest && { input_data: {} }), ...('iccid' in rest && { iccid: null }) };
}

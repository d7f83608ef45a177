/** The erasure of recipients. docs/specification.md#recipients. */
import Joi from 'joi';
import { pause } from '../../async/promises';
import { eraseRecipient, hashedRecipient, isBeingMailed, type HashedRecipient } from '../../data/privacy/erasures';
import { errors } from '../../domain/errors';
import { emailRecipient, phoneRecipient, type Recipient } from '../../domain/orders/recipients';
import { emailAddress } from '../../notifications/mail/address';
import type { Dependencies } from '../dependencies';
import { callerOf } from '../middleware/caller';
import { json } from '../openapi/operation';
import { count, model } from '../openapi/schema';
import type { ApiRoutes } from '../server/route';
import { jsonObject, validBody } from '../shared/validation';

/** Erases at most so many orders within the request, which takes some seconds. Maintenance erases the others. */
const MAX_ERASED = 1_000;

interface ErasureBody {
  email?: string;
  phone_number?: string;
}

const isInvalid = (field: string) => ({ '*': `${field} is invalid` });

const erasureBody = Joi.object<ErasureBody>({
  email: emailAddress
    .empty(null)
    .description('The notification email of the orders. Give this or `phone_number`.')
    .example('buyer@client.example')
    .messages(isInvalid('email')),
  phone_number: Joi.string()
    .empty(null)
    .max(64)
    .description('The phone number of the top-ups. Give this or `email`.')
    .example('+12025550100')
    .messages(isInvalid('phone_number')),
});

const oneRecipient = () => errors.validation('Give either email or phone_number');
const invalidPhone = () => errors.validation('phone_number is invalid', 'phone_number');

const erasure = model('RecipientErasure', 'The result of an erasure.', {
  erased: count('Orders whose recipient is erased now.', 3),
  pending: count('Orders that are erased when they have ended and their email is sent.', 0),
});

export const privacyRoutes: ApiRoutes = {
  'POST /api/v1/recipients/erase': {
    tag: 'Keys and access',
    scope: 'admin',
    harmless: 'It gives no access, and shows nothing.',
    id: 'eraseRecipient',
    summary: 'Erase a recipient from your orders',
    description:
      'Removes the email address and the input of every order for the recipient. The orders, their goods, refunds and events stay. An erasure cannot be undone. It may be repeated.',
    body: { schema: erasureBody, title: 'RecipientErasureRequest' },
    responses: { 200: json('The number of your orders for the recipient.', erasure) },
    errors: [
      oneRecipient(),
      errors.validation('email is invalid', 'email'),
      errors.validation('phone_number is invalid', 'phone_number'),
    ],
    handler: (deps) => async (request, response) => {
      const named = recipientOf(validBody(erasureBody, jsonObject(request)));
      const recipient = hashedRecipient(deps.sealer, named);
      const caller = callerOf(request, response);
      const { clientId } = caller;
      await untilMailed(deps, recipient, clientId);
      response.json(await eraseRecipient(deps.database, { recipient, clientId, caller, limit: MAX_ERASED }));
    },
  },
};

/** The mail of an order is sent within a second after its end. */
const MAIL_WAIT_MS = 5_000;
const MAIL_POLL_MS = 100;

/** Waits for the mails of orders that have ended just now, so that these orders are erased within the request. */
async function untilMailed(
  { database, stopping }: Pick<Dependencies, 'database' | 'stopping'>,
  recipient: HashedRecipient,
  clientId: number,
): Promise<void> {
  const end = performance.now() + MAIL_WAIT_MS;
  while (performance.now() < end && (await isBeingMailed(database, recipient, clientId)))
    if (!(await pause(MAIL_POLL_MS, stopping))) return;
}

function recipientOf({ email, phone_number: phone }: ErasureBody): Recipient {
  if (email !== undefined && phone === undefined) return emailRecipient(email);
  if (phone === undefined || email !== undefined) throw oneRecipient();
  const recipient = phoneRecipient(phone);
  if (!recipient) throw invalidPhone();
  return recipient;
}

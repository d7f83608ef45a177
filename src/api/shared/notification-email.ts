/** `PATCH .../:id/notification-email` of all three families. */
import type { RequestHandler } from 'express';
import Joi from 'joi';
import { attachEmail } from '../../data/orders/order-mails';
import { findOrder } from '../../data/orders/order-reads';
import { errors } from '../../domain/errors';
import type { Family } from '../../domain/orders/families';
import { comparableEmail } from '../../domain/orders/customer-input';
import { emailAddress } from '../../notifications/mail/address';
import { orderField } from '../../security/encryption-context';
import type { Dependencies } from '../dependencies';
import { callerOf, clientOf } from '../middleware/authenticate';
import { jsonObject, pathId, validBody } from './validation';

export const notificationEmailBody = Joi.object<{ email: string }>({
  email: emailAddress
    .empty(null)
    .required()
    .messages({
      'any.required': 'email is required',
      'string.empty': 'email is required',
      'string.max': 'email is too long (max 254 characters)',
      '*': 'email is invalid',
    })
    .description('Gets one mail when the order ends.')
    .example('buyer@client.example'),
});

/** Attaches the address while the order is in flight. docs/specification.md#notification-email. */
export function patchNotificationEmail(family: Family, { database, sealer }: Dependencies): RequestHandler {
  return async (request, response) => {
    const id = pathId(request.params.id, () => errors.validation('Invalid order ID'));
    const { email } = validBody(notificationEmailBody, jsonObject(request));
    const client = clientOf(response);
    const order = await findOrder(database, family, client.id, id);
    if (!order) throw errors.notFound('Order');
    const address = {
      sealedEmail: sealer.seal(orderField(order.nonce, 'email'), email),
      emailHash: sealer.lookupHash(comparableEmail(email)),
    };
    if (!(await attachEmail(database, family, callerOf(request, response), id, address))) {
      throw errors.validation('Notification email can no longer be changed');
    }
    response.json({ success: true, message: 'Notification email updated' });
  };
}

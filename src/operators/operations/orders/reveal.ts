/** `orders reveal`: who gets the goods of an order. */
import { recordOperation } from '../../../data/audit/audit-entries';
import type { Database } from '../../../data/database/database';
import { findSealedRecipient } from '../../../data/orders/order-recipients';
import { shownIccid } from '../../../domain/esims/profile-codes';
import { recipientReaders } from '../../../domain/operators/roles';
import { esimField, orderField, Sealer } from '../../../security/sealing';
import { word } from '../arguments';
import { id } from '../kinds';
import { neededReason, operation } from '../operation';
import { parseInput } from '../../../domain/orders/customer-input';

/** What the order stores about its recipient. Throws if it stores nothing. */
async function sealedRecipient(database: Database, orderId: number) {
  const found = await findSealedRecipient(database, orderId);
  if (!found) throw new Error(`There is no order ${orderId}. Find it with: orders find`);
  if (found.sealedEmail === null && found.sealedInput === null && found.sealedIccid === null)
    throw new Error(`Order ${orderId} names no recipient.`);
  return found;
}

export const reveal = operation({
  name: 'orders reveal',
  button: 'Reveal the recipient',
  about:
    "Who gets the goods of an order: the address for the result, what the customer entered, and an eSIM's ICCID. The audit names who reads it, and why",
  roles: recipientReaders,
  effect: 'reads',
  arguments: { order: word(id, 'id'), reason: neededReason },
  check: async ({ database }, { order }) => order === undefined || sealedRecipient(database, order),
  async run(context, { order: orderId }) {
    const { database } = context;
    const sealer = new Sealer(await context.keyRing());
    const recipient = await sealedRecipient(database, orderId);
    const { clientId, nonce, sealedEmail, sealedInput, sealedIccid, profileOrderId } = recipient;
    // Written first: no one sees a recipient without an entry.
    await recordOperation(database, { clientId, action: 'recipient.revealed', object: `order/${orderId}` });
    const email = sealer.openOptional(orderField(nonce, 'email'), sealedEmail);
    const input = sealer.openOptional(orderField(nonce, 'input'), sealedInput);
    const iccid = shownIccid(sealer.openOptional(esimField(profileOrderId, 'iccid'), sealedIccid));
    return { order: orderId, email, input: input === null ? null : parseInput(input), iccid };
  },
});

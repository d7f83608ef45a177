/** `privacy`: what the service holds about a recipient, and its erasure. docs/operators/privacy.md. */
import {
  countErasable,
  eraseRecipient,
  hashedRecipient,
  type HashedRecipient,
} from '../../data/privacy/erasures';
import { emailRecipient, phoneRecipient, type Recipient } from '../../domain/orders/recipients';
import { isEmailAddress } from '../../notifications/mail/address';
import { Sealer } from '../../security/sealing';
import { InvalidArgument, option, requiredSecret, type Kind } from '../arguments';
import { clientNamed } from '../client-named';
import type { Context } from '../context';
import { client } from '../kinds';
import { operation } from '../operation';

const recipientText: Kind<Recipient> = {
  placeholder: 'e-mail address or phone number',
  schema: { type: 'string' },
  read(written) {
    if (isEmailAddress(written.trim())) return emailRecipient(written);
    const phone = phoneRecipient(written);
    if (phone) return phone;
    throw new InvalidArgument('Give an e-mail address or a phone number.');
  },
};

const recipient = requiredSecret(
  recipientText,
  'an e-mail address or a phone number, which the command reads from standard input',
);

const erase = operation({
  name: 'privacy erase',
  about:
    'Erase a recipient from every order, at once or when the order has ended. Orders, goods, ledger and events stay. It cannot be undone',
  roles: ['support'],
  effect: 'changes',
  isLong: true,
  arguments: {
    recipient,
    client: option(client, 'only in the orders of this client: id, name or API key'),
  },
  async preview(context, { recipient: person, client: named }) {
    const { hashed, clientId } = await subjectOf(context, person, named);
    const { erased, pending } = await countErasable(context.database, hashed, clientId);
    return `Erases the recipient from ${erased} orders now, and from ${pending} more when they have ended. It cannot be undone.`;
  },
  async run(context, { recipient: person, client: named }) {
    const { hashed, clientId } = await subjectOf(context, person, named);
    const limit = Number.MAX_SAFE_INTEGER;
    return [await eraseRecipient(context.database, { recipient: hashed, clientId, limit })];
  },
});

async function subjectOf(
  context: Context,
  person: Recipient,
  named: string | undefined,
): Promise<{ hashed: HashedRecipient; clientId: number | null }> {
  const clientId = named === undefined ? null : (await clientNamed(context.database, named)).id;
  return { hashed: hashedRecipient(new Sealer(await context.keyRing()), person), clientId };
}

export const privacyOperations = [erase];

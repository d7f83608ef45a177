/** `privacy`: what the service holds about a recipient, and its erasure. docs/operators/privacy.md. */
import { countErasable, eraseRecipient, hashedRecipient, type HashedRecipient } from '../../../data/privacy/erasures';
import { exportRecipient, listClaimTexts, listOrderTexts } from '../../../data/privacy/exports';
import { listRequests } from '../../../data/privacy/carried-requests';
import { carriedRequestColumns } from '../../../data/privacy/carried-columns';
import { listRawResponses } from '../../../data/purchases/purchase-polls';
import { emailRecipient, phoneRecipient, type Recipient } from '../../../domain/orders/recipients';
import { isEmailAddress } from '../../../notifications/mail/address';
import { orderField, Sealer, supplierResponse, writtenText } from '../../../security/sealing';
import { inTerminal, InvalidArgument, option, requiredSecret, type Kind } from '../arguments';
import { clientIdNamed } from '../client-named';
import type { Context } from '../context';
import { client } from '../kinds';
import { everyRole, neededReason, operation } from '../operation';
import { plural } from '../text';
import { kindsOf } from '../../../domain/row-columns';

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

const subject = {
  recipient: inTerminal(
    requiredSecret(recipientText, 'an e-mail address or a phone number'),
    'an e-mail address or a phone number, which the command reads from standard input',
  ),
  client: option(client, 'only in the orders of this client: id, name or API key'),
};

/** The reason names the person, or why the person asks. */
const textsAbout = () => Promise.resolve(null);

const erase = operation({
  name: 'privacy erase',
  about:
    'Erase a recipient from every order, at once or when the order has ended. Orders, goods, ledger and events stay. It cannot be undone',
  roles: ['support'],
  effect: 'changes',
  givesAccess: false,
  isLong: true,
  arguments: subject,
  textsAbout,
  async preview(context, { recipient: person, client: named }) {
    const { hashed, clientId } = await subjectOf(context, person, named);
    const { erased, pending } = await countErasable(context.database, hashed, clientId);
    return `Erases the recipient from ${plural(erased, 'order')} now, and from ${pending} more when they have ended. It cannot be undone.`;
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
  const clientId = (await clientIdNamed(context.database, named)) ?? null;
  return { hashed: hashedRecipient(new Sealer(await context.keyRing()), person), clientId };
}

const exportData = operation({
  name: 'privacy export',
  about: 'Everything that the service holds about a recipient, in the clear, for the person who asks for it',
  roles: ['support'],
  // It records the request.
  effect: 'changes',
  givesAccess: false,
  isLong: true,
  arguments: { ...subject, reason: neededReason },
  textsAbout,
  async run(context, { recipient: person, client: named }) {
    const { database } = context;
    const sealer = new Sealer(await context.keyRing());
    const { hashed, clientId } = await subjectOf(context, person, named);
    const orders = await exportRecipient(database, hashed, clientId);
    const ids = orders.map(({ id }) => id);
    const texts = await listOrderTexts(database, ids);
    const claims = await listClaimTexts(database, ids);
    return Promise.all(
      orders.map(async ({ id, nonce, sealedEmail, sealedInput, ...order }) => ({
        order_id: id,
        client: order.client,
        family: order.family,
        product: order.product,
        status: order.status,
        placed_at: order.placedAt,
        completed_at: order.completedAt,
        email: sealer.openForView(orderField(nonce, 'email'), sealedEmail),
        input_data: sealer.openForView(orderField(nonce, 'input'), sealedInput),
        supplier_said: (await listRawResponses(database, id)).map(({ reference, sealed }) =>
          sealer.openForView(supplierResponse(reference), sealed),
        ),
        written: texts
          .filter(({ orderId }) => orderId === id)
          .map(({ nonce: own, sealed }) => sealer.openForView(writtenText(own), sealed)),
        claimed: claims
          .filter(({ orderId }) => orderId === id)
          .map(({ sealed }) => sealer.openForView(orderField(nonce, 'claim'), sealed)),
      })),
    );
  },
});

const exportRequests = operation({
  name: 'privacy requests export',
  button: 'Export the requests',
  about: 'All requests about recipients with their orders, without a recipient',
  inTerminal:
    'All requests about recipients with their orders, without a recipient. With --json, for privacy requests apply after a restore',
  roles: everyRole,
  effect: 'reads',
  arguments: {},
  columns: kindsOf(carriedRequestColumns),
  run: ({ database }) => listRequests(database),
});

export const privacyOperations = [erase, exportData, exportRequests];

/** `claims`: what clients report about delivered goods. docs/operators/claims.md. */
import {
  claimOrders,
  findClaimDays,
  findOperatedClaim,
  listOperatedClaims,
  rejectClaim,
  sendClaim,
  setClaimDays,
  type OperatedClaim,
  listedClaimColumns,
} from '../../../data/orders/operated-claims';
import { HIDDEN } from '../../../domain/shown-text';
import { claimStates } from '../../../domain/orders/claim-kinds';
import { orderField, Sealer } from '../../../security/sealing';
import { actionsOf, type OfferedAction } from '../actions';
import { flag, InvalidArgument, option, optionOr, word, type Kind } from '../arguments';
import { clientIdNamed } from '../client-named';
import { client, count, family, id, oneOf } from '../kinds';
import { everyRole, neededReason, operation, type Page, type Plain } from '../operation';
import { readsTexts } from '../order-texts';
import { nameOfProduct } from '../product-named';
import { table, wrapped } from '../text';
import { accept } from './claims-accept';
import { credit } from './claims-credit';
import { claim, textsAbout } from './claim-named';
import { open } from './claims-open';
import { kindsOf } from '../../../domain/row-columns';

const list = operation({
  name: 'claims list',
  button: 'Show the claims',
  about: 'Claims about delivered goods, newest first',
  roles: everyRole,
  effect: 'reads',
  arguments: {
    client: option(client, 'only those of this client: id, name or API key'),
    order: option(id, 'only those about this order'),
    state: option(oneOf('state', claimStates), 'only those in this state'),
    open: flag('only those that are not closed'),
    sort: optionOr(oneOf('order', claimOrders), 'newest', 'newest, or due (the open one that is due first)'),
    after: option(id, 'only claims behind this one, for the next page'),
    limit: optionOr(count, '50', 'maximum number of claims'),
  },
  columns: kindsOf(listedClaimColumns),
  async run({ database }, { client: named, order: orderId, open: isOpen, ...filter }) {
    const clientId = await clientIdNamed(database, named);
    return listOperatedClaims(database, { ...filter, clientId, orderId, isOpen: isOpen || undefined });
  },
});

/** A claim for a person. `text`: `hidden` for a role that sees no recipients, and null once it is erased. */
type ShownClaim = OperatedClaim & { text: string | null; actions: OfferedAction[] };

const show = operation({
  name: 'claims show',
  button: 'Show the claim',
  about:
    "A claim with what its supplier asks for: our reference, the supplier's id, times and product. The client's text is opened for support",
  roles: everyRole,
  effect: 'reads',
  arguments: { claim },
  async run(context, { claim: claimId }): Promise<ShownClaim> {
    const { shown, nonce, sealedText } = await findOperatedClaim(context.database, claimId);
    const actions = await actionsOf(context, commandsAbout(shown));
    if (!readsTexts(context)) return { ...shown, text: sealedText && HIDDEN, actions };
    const sealer = new Sealer(await context.keyRing());
    return { ...shown, text: sealer.openForView(orderField(nonce, 'claim'), sealedText), actions };
  },
  text: claimText,
});

/** The commands about a claim. Each checks itself whether the state of the claim allows it. */
function commandsAbout({ id: claimId, order_id: orderId, kind }: OperatedClaim): string[] {
  return [
    `claims send ${claimId}`,
    `claims accept ${claimId} ${kind === 'UNUSED' ? 'refund' : 'refund|replace'} --reason <text>`,
    `claims reject ${claimId} --reason <text>`,
    `orders reveal ${orderId} --reason <text>`,
    // A supplier may credit a claim at any time.
    `claims credit ${claimId}`,
  ];
}

function claimText({ purchases, text, actions: _, ...shown }: Plain<ShownClaim>, { columns, tableColumns }: Page) {
  const {
    id: claimId,
    kind,
    state,
    outcome,
    order_id: orderId,
    unit,
    product,
    face_value: value,
    client: owner,
  } = shown;
  const lines = [
    `Claim ${claimId} of ${owner} is ${state}${outcome === null ? '' : `, ${outcome}`}: ${kind}`,
    `Order ${orderId}${unit === null ? '' : `, unit ${unit}`}: ${product}, ${value}`,
    `Ordered ${shown.order_placed_at}, ended ${shown.order_completed_at ?? '-'}, reference ${shown.client_reference ?? '-'}`,
    `${shown.opened_by === null ? 'Filed' : `Opened by ${shown.opened_by}`} ${shown.created_at}, answer due ${shown.due_at}, closed ${shown.closed_at ?? '-'}`,
    `Refund: ${refundText(shown)}, replacement: order ${shown.replacement_order_id ?? '-'}, supplier's credit: ${shown.supplier_credit ?? '-'}`,
    `Text: ${text ?? '-'}`,
  ];
  return [...lines.map((line) => wrapped(line, columns)), table(purchases, tableColumns)].join('\n');
}

function refundText({
  refund_order_id: orderId,
  refund_number: number,
}: Pick<OperatedClaim, 'refund_order_id' | 'refund_number'>): string {
  return number === null ? '-' : `${number} of order ${orderId}`;
}

const send = operation({
  name: 'claims send',
  button: 'Mark as sent',
  about: 'Mark that you asked the supplier',
  roles: ['support'],
  effect: 'changes',
  harmless: 'It only notes that the supplier was asked.',
  arguments: { claim },
  textsAbout,
  async run({ database }, { claim: claimId }) {
    await sendClaim(database, claimId);
    return `Claim ${claimId} is AT_SUPPLIER.`;
  },
});

const reject = operation({
  name: 'claims reject',
  about: 'Reject a claim. The client can file a new one while the time to claim lasts',
  roles: ['support'],
  effect: 'changes',
  givesAccess: false,
  arguments: { claim, reason: neededReason },
  textsAbout,
  async run({ database }, { claim: claimId }) {
    await rejectClaim(database, claimId);
    return `Claim ${claimId} is REJECTED.`;
  },
});

/** The longest time in which goods can be claimed. */
const MAX_DAYS = 3_650;

const daysText: Kind<number | null> = {
  placeholder: 'days',
  schema: { type: 'string' },
  read(written) {
    if (written === 'default') return null;
    if (/^[0-9]{1,4}$/.test(written) && Number(written) <= MAX_DAYS) return Number(written);
    throw new InvalidArgument(`Give a whole number from 0 to ${MAX_DAYS}, or default.`);
  },
};

const days = operation({
  name: 'claims days',
  button: 'Set the days',
  about: 'Set the days after the delivery in which goods of a product can be claimed',
  inTerminal: 'Set the days after the delivery in which goods of a product can be claimed. Default: CLAIM_DAYS',
  roles: ['catalogue', 'finance'],
  effect: 'changes',
  givesAccess: false,
  arguments: {
    family: word(family, 'vouchers, topups or esim'),
    product: word(id, 'id'),
    days: word(daysText, 'the days, or default'),
  },
  async compared({ database, config }, { family: ofFamily, product: productId }) {
    const own = await findClaimDays(database, { family: ofFamily, productId });
    return {
      of: `Claims of ${await nameOfProduct(database, ofFamily, productId)}`,
      values: { days: own ?? `default, ${config.claims.days}` },
    };
  },
  async run({ database, config }, { family: ofFamily, product: productId, days: given }) {
    const name = await nameOfProduct(database, ofFamily, productId);
    await setClaimDays(database, { family: ofFamily, productId }, given);
    return `Goods of ${name} can be claimed for ${given ?? config.claims.days} days.`;
  },
});

export const claimOperations = [list, show, open, send, accept, reject, credit, days];

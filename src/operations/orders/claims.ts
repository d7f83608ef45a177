/** `claims`: what clients report about delivered goods. docs/operators/claims.md. */
import {
  acceptByRefund,
  claimOrders,
  findOperatedClaim,
  listOperatedClaims,
  recordSupplierCredit,
  rejectClaim,
  sendClaim,
  setClaimDays,
  type OperatedClaim,
  type RecordedCredit,
} from '../../data/orders/operated-claims';
import type { Transaction } from '../../data/database/database';
import { findRefundable } from '../../data/orders/order-refunds';
import { acceptByReplacement, findReplacedValue } from '../../data/orders/replacements';
import { countAsRefund } from '../../data/operations/approval-rules';
import { HIDDEN } from '../../data/privacy/order-texts';
import { claimStates, refundReasonOf } from '../../domain/orders/claims';
import { orderField, Sealer } from '../../security/sealing';
import { actionOf, type OfferedAction } from '../actions';
import { flag, InvalidArgument, option, optionOr, word, type ArgumentValues, type Kind } from '../arguments';
import { clientIdNamed } from '../client-named';
import { ForceRequired } from '../guarded-prices';
import type { Context } from '../context';
import { sentenceOf } from '../failure';
import { client, count, family, id, money, oneOf, positiveDecimal } from '../kinds';
import { everyRole, neededReason, operation, type Plain } from '../operation';
import { readsTexts } from '../order-texts';
import { assertProductExists } from '../product-named';
import { table, wrapped } from '../text';
import { tried } from '../tried';

const claim = word(id, 'id; see claims list');
/** The order of the claim, about which the reason is. */
const textsAbout = async (
  { database }: Pick<Context, 'database'>,
  { claim: claimId }: { readonly claim: number },
) => (await findOperatedClaim(database, claimId)).shown.order_id;

const supplierCredit = option(money, 'what the supplier credits us for the goods');
const force = flag("accept a supplier's credit above the cost of the unit");

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
  columns: {
    id: 'number',
    client: 'text',
    order_id: 'number',
    family: 'text',
    unit: 'number',
    kind: 'text',
    state: 'text',
    outcome: 'text',
    product: 'text',
    refund_order_id: 'number',
    refund_number: 'number',
    replacement_order_id: 'number',
    supplier_credit: 'text',
    created_at: 'time',
    due_at: 'time',
    closed_at: 'time',
  },
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
    const actions = commandsFor(shown).flatMap((command) => actionOf(context, command) ?? []);
    if (!readsTexts(context)) return { ...shown, text: sealedText && HIDDEN, actions };
    const sealer = new Sealer(await context.keyRing());
    return { ...shown, text: sealer.openForView(orderField(nonce, 'claim'), sealedText), actions };
  },
  text: claimText,
});

/** What an operator can do about the claim. */
function commandsFor({ id: claimId, order_id: orderId, state }: OperatedClaim): string[] {
  const isWaiting = state === 'OPEN' || state === 'AT_SUPPLIER';
  return [
    ...(state === 'OPEN' ? [`claims send ${claimId}`] : []),
    ...(isWaiting
      ? [
          `claims accept ${claimId} refund|replace --reason <text>`,
          `claims reject ${claimId} --reason <text>`,
        ]
      : []),
    `orders reveal ${orderId} --reason <text>`,
    // A supplier may credit a claim at any time.
    `claims credit ${claimId}`,
  ];
}

function claimText(
  { purchases, text, actions: _, ...shown }: Plain<ShownClaim>,
  { columns }: { columns: number },
) {
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
    `Filed ${shown.created_at}, answer due ${shown.due_at}, closed ${shown.closed_at ?? '-'}`,
    `Refund: ${refundText(shown)}, replacement: order ${shown.replacement_order_id ?? '-'}, supplier's credit: ${shown.supplier_credit ?? '-'}`,
    `Text: ${text ?? '-'}`,
  ];
  return [...lines.map((line) => wrapped(line, columns)), table(purchases)].join('\n');
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

const acceptArguments = {
  claim,
  how: word(oneOf('how', ['refund', 'replace']), 'refund or replace'),
  amount: option(
    positiveDecimal,
    "refund this amount for the unit instead of the unit, in the wallet's currency",
  ),
  mail: flag("mail the client's contact when the refund is credited"),
  supplierCredit,
  force,
  reason: neededReason,
};

const accept = operation({
  name: 'claims accept',
  approval: 'REFUND',
  about:
    'Accept a claim and refund its unit, on the order that was paid for it, or replace it by an order of its own that costs the client nothing',
  roles: ['support', 'finance'],
  effect: 'money',
  arguments: acceptArguments,
  textsAbout,
  async preview(context, values) {
    const { database } = context;
    const { claim: claimId, how, amount } = values;
    await tried(context, (trial) => accepted(trial, values));
    const { shown } = await findOperatedClaim(database, claimId);
    const { order_id: orderId, unit, wallet_currency: currency, client: owner, state } = shown;
    const { paid_order_id: paidId, paid_unit: paidUnit } = shown;
    const left = (await findRefundable(database, paidId))?.left ?? '0';
    if (how === 'replace')
      return `Buys unit ${unit ?? 1} of order ${orderId} of ${owner} once more, at our cost, and voids the old one. Its price counts as refunded: ${left} ${currency} are left${ofPaid(paidId, orderId)}. Closes claim ${claimId}, which is ${state}, when the order is delivered.`;
    const named = unit === null ? 'the unit' : `unit ${paidUnit}`;
    const what = amount ? `${amount.toFixed()} ${currency} for ${named}` : named;
    const bad =
      paidId === orderId ? '' : ` The goods of order ${orderId}, which replaced the unit, are void then.`;
    return `Refunds ${what} of order ${paidId} of ${owner}, of which at most ${left} ${currency} are left, and closes claim ${claimId}, which is ${state}.${amount ? '' : bad}`;
  },
  run: (context, values) => accepted(context, values),
});

/** Which order was paid, if it is another one than the claimed one. */
const ofPaid = (paidId: number, claimedId: number) =>
  paidId === claimedId ? '' : ` of order ${paidId}, which was paid`;

async function accepted(
  context: Context,
  {
    claim: claimId,
    how,
    amount,
    mail,
    supplierCredit: given,
    force: isForced,
  }: ArgumentValues<typeof acceptArguments>,
): Promise<string> {
  const { database } = context;
  const credit = given && { id: claimId, credit: given, force: isForced };
  if (how === 'replace') {
    if (amount !== undefined || mail) throw new InvalidArgument('Give --amount and --mail only with refund.');
    return replaced(context, claimId, credit);
  }
  const { shown } = await findOperatedClaim(database, claimId);
  const acceptance = { id: claimId, reasonCode: refundReasonOf(shown.kind), amount, mail };
  const number = await database.transaction(async (transaction) => {
    const refunded = await acceptByRefund(database, acceptance, transaction);
    if (credit) await recordedCredit(database, credit, transaction);
    return refunded;
  });
  const { outcome } = (await findOperatedClaim(database, claimId)).shown;
  const refund = `refund ${number} of order ${shown.paid_order_id}`;
  return outcome === null
    ? `Claim ${claimId} is ACCEPTED, and ${refund} waits: the wallet is closed. Credit it with: wallets reopen`
    : `Claim ${claimId} is ACCEPTED, by ${refund}.`;
}

/** Places the order that replaces the unit, and starts its workflow. */
async function replaced(
  context: Context,
  claimId: number,
  credit: SupplierCredit | undefined,
): Promise<string> {
  const { database } = context;
  // A lazy import: commands that do not need Temporal start in a fraction of the time.
  const { planReplacement, startReplacement } = await import('../../ordering/replacements.js');
  const sealer = new Sealer(await context.keyRing());
  const planned = await planReplacement({ database, sealer, suppliers: context.suppliers() }, claimId);
  const orderId = await database.transaction(async (transaction) => {
    const id = await acceptByReplacement(database, planned, transaction);
    if (credit) await recordedCredit(database, credit, transaction);
    await countAsRefund(database, await findReplacedValue(database, id, transaction), transaction);
    return id;
  });
  await context.onceCommitted(() =>
    context
      .withTemporal((temporal) => startReplacement({ database, temporal }, orderId))
      .catch((error: unknown) => {
        context.remark(`Maintenance starts the order within 5 minutes: ${sentenceOf(error)}`);
      }),
  );
  return `Claim ${claimId} is ACCEPTED: order ${orderId} replaces the unit.`;
}

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

type SupplierCredit = Parameters<typeof recordSupplierCredit>[1];

/** Records the credit. Throws `ForceRequired` if the credits for the unit exceed its cost, and the operator does not force it. */
async function recordedCredit(
  database: Context['database'],
  credit: SupplierCredit,
  transaction?: Transaction,
) {
  const recorded = await recordSupplierCredit(database, credit, transaction);
  if (recorded.isRecorded) return recorded;
  throw new ForceRequired(
    `${boundText(credit.id, recorded)}: add --force to record more. Nothing was changed.`,
  );
}

function boundText(claimId: number, { most, isCostKnown, currency }: RecordedCredit): string {
  const bound = isCostKnown ? 'the unit cost' : 'the cost of the unit is unknown, and the client paid';
  return `The credits for the unit of claim ${claimId} would exceed what we lost: ${bound} ${most} ${currency}`;
}

const credit = operation({
  name: 'claims credit',
  button: 'Record a credit',
  about:
    'Record what the supplier credits us for claimed goods, at the present rate: all claims of a unit together at most its cost. A later ' +
    'credit of the claim replaces it',
  roles: ['support', 'finance'],
  effect: 'changes',
  givesAccess: false,
  approval: 'REFUND',
  arguments: { claim, credit: word(money, 'currency and amount'), force },
  textsAbout,
  async preview(context, { claim: id, credit: given }) {
    const [currency, amount] = given;
    const before = (await findOperatedClaim(context.database, id)).shown;
    const recorded = await tried(context, ({ database }) =>
      recordSupplierCredit(database, { id, credit: given, force: false }),
    );
    const needs = recorded.isRecorded ? '' : ` ${boundText(id, recorded)}: it needs --force.`;
    return `Records that the supplier credits ${amount} ${currency} for claim ${id}, which is ${before.state}. Recorded before: ${before.supplier_credit ?? 'nothing'}.${needs}`;
  },
  async run({ database }, { claim: id, credit: given, force: isForced }) {
    await recordedCredit(database, { id, credit: given, force: isForced });
    const [currency, amount] = given;
    return `The supplier credits ${amount} ${currency} for claim ${id}.`;
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
  about: 'Set the days after the delivery in which goods of a product can be claimed. Default: CLAIM_DAYS',
  roles: ['catalogue', 'finance'],
  effect: 'changes',
  givesAccess: false,
  arguments: {
    family: word(family, 'vouchers, topups or esim'),
    product: word(id, 'id'),
    days: word(daysText, 'the days, or default'),
  },
  async run({ database, config }, { family: ofFamily, product: productId, days: given }) {
    await assertProductExists(database, ofFamily, productId);
    await setClaimDays(database, { family: ofFamily, productId }, given);
    return `Goods of ${ofFamily} product ${productId} can be claimed for ${given ?? config.claims.days} days.`;
  },
});

export const claimOperations = [list, show, send, accept, reject, credit, days];

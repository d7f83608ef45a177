/** `claims accept`: a refund or a replacement of the claimed unit. docs/operators/claims.md. */
import { countAsRefund } from '../../../data/approvals/stored-approval-rules';
import { acceptByRefund, findOperatedClaim, rejectClaim } from '../../../data/orders/operated-claims';
import { findRefundable, listOrderRefunds, type RefundableOrder } from '../../../data/orders/stored-refunds';
import { acceptByReplacement, findReplacedValue } from '../../../data/orders/replacement-orders';
import { refundReasonOf } from '../../../domain/orders/claim-kinds';
import { Sealer } from '../../../security/sealing';
import { flag, InvalidArgument, option, word, type ArgumentValues } from '../arguments';
import type { Context } from '../context';
import { sentenceOf } from '../failure';
import { ForceRequired } from '../guarded-prices';
import { money, oneOf, positiveDecimal } from '../kinds';
import { neededReason, operation } from '../operation';
import { tried } from '../tried';
import { balanceText } from './refunds';
import { recordedCredit, type SupplierCredit } from './claims-credit';
import { claim, textsAbout } from './claim-named';
import { wakeMonitor } from './esims';

const acceptArguments = {
  claim,
  how: word(oneOf('how', ['refund', 'replace']), 'refund or replace'),
  amount: option(positiveDecimal, "refund this amount for the unit instead of the unit, in the wallet's currency"),
  mail: flag("mail the client's contact when the refund is credited"),
  supplierCredit: option(money, 'what the supplier credits us for the goods'),
  force: flag(
    "accept a supplier's credit above the cost of the unit, an UNUSED claim of an installed eSIM or without a credit, or replace a unit whose sale is stopped",
  ),
  reason: neededReason,
};

export const accept = operation({
  name: 'claims accept',
  approval: 'REFUND',
  about:
    'Accept a claim and refund its unit, on the order that was paid for it, or replace it by an order of its own that costs the client nothing',
  roles: ['support', 'finance'],
  effect: 'money',
  arguments: acceptArguments,
  // A claim that can be rejected can be accepted. The trial says how.
  check: async (context, { claim: claimId }) =>
    claimId === undefined || tried(context, ({ database }) => rejectClaim(database, claimId)),
  textsAbout,
  async requireOther({ database }, { claim: claimId }, accountable) {
    if ((await findOperatedClaim(database, claimId)).shown.opened_by === accountable)
      throw new Error(
        `${accountable} opened claim ${claimId} for the client, and its refund needs two persons: two others accept it`,
      );
  },
  trial: 'PREVIEW',
  preview: (context, values) => effectOf(context, values, (paid, sum) => ` ${balanceText(paid, sum)}`),
  basis: (context, values) => effectOf(context, values, () => ''),
  run: (context, values) => accepted(context, values),
});

/** What the acceptance does. `walletText`: what the preview says about the wallet. */
async function effectOf(
  context: Context,
  values: ArgumentValues<typeof acceptArguments>,
  walletText: (paid: RefundableOrder, sum: string) => string,
): Promise<string> {
  const { database } = context;
  const { claim: claimId, how, amount } = values;
  const refunds = await tried(context, async (trial) => {
    await accepted(trial, values);
    const { paid_order_id: id } = (await findOperatedClaim(trial.database, claimId)).shown;
    return listOrderRefunds(trial.database, id);
  });
  const { shown } = await findOperatedClaim(database, claimId);
  const { order_id: orderId, unit, wallet_currency: currency, client: owner, state } = shown;
  const { paid_order_id: paidId, paid_unit: paidUnit } = shown;
  const paid = await findRefundable(database, paidId);
  const left = paid?.left ?? '0';
  if (how === 'replace')
    return `Buys unit ${unit ?? 1} of order ${orderId} of ${owner} once more, at our cost, and voids the old one. Its price counts as refunded: ${left} ${currency} are left${ofPaid(paidId, orderId)}. Claim ${claimId}: ${state} → ACCEPTED, and closed when the new order is delivered.`;
  const named = unit === null ? 'the unit' : `unit ${paidUnit}`;
  const sum = refunds.at(-1)?.amount ?? '0';
  const bad = paidId === orderId ? '' : ` The goods of order ${orderId}, which replaced the unit, are void then.`;
  const balance = paid ? walletText(paid, sum) : '';
  return `Refunds ${sum} ${currency} for ${named} of order ${paidId} of ${owner}, of which ${left} ${currency} are left.${balance} Claim ${claimId}: ${state} → ACCEPTED.${amount ? '' : bad}`;
}

/** Which order was paid, if it is another one than the claimed one. */
const ofPaid = (paidId: number, claimedId: number) =>
  paidId === claimedId ? '' : ` of order ${paidId}, which was paid`;

async function accepted(
  context: Context,
  { claim: claimId, how, amount, mail, supplierCredit: given, force: isForced }: ArgumentValues<typeof acceptArguments>,
): Promise<string> {
  const { database } = context;
  const credit = given && { id: claimId, credit: given, force: isForced };
  if (how === 'replace') {
    if (amount !== undefined || mail) throw new InvalidArgument('Give --amount and --mail only with refund.');
    return replaced(context, claimId, { credit, isForced });
  }
  const { shown, nonce } = await findOperatedClaim(database, claimId);
  if (shown.kind === 'UNUSED') {
    const hasCredit = given !== undefined || shown.supplier_credit !== null;
    await requireUnused(context, { claimId, orderId: shown.order_id, nonce, hasCredit, isForced });
  }
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

interface UnusedClaim {
  claimId: number;
  orderId: number;
  nonce: string;
  hasCredit: boolean;
  isForced: boolean;
}

/**
 * Throws `ForceRequired` if the supplier's credit for the unused eSIM is not recorded, or if a poll does not confirm that it is not installed.
 * Does nothing if the operator forces it.
 */
async function requireUnused(
  context: Context,
  { claimId, orderId, nonce, hasCredit, isForced }: UnusedClaim,
): Promise<void> {
  if (isForced) return;
  const stop = (why: string) => {
    throw new ForceRequired(`${why}: add --force to refund it anyway. Nothing was changed.`);
  };
  if (!hasCredit) stop(`The supplier's credit for claim ${claimId} is not recorded, which --supplier-credit does`);
  // A lazy import: the module loads Temporal's client, which would slow every command.
  const { isNotInstalled } = await import('../../../ordering/esims/esim-status.js');
  const sealer = new Sealer(await context.keyRing());
  const deps = { database: context.database, sealer, suppliers: context.suppliers() };
  const wake = () => wakeMonitor(context, { orderId, nonce });
  const isUnused = await isNotInstalled(deps, { orderId, nonce }, wake).catch((error: unknown) =>
    stop(`The supplier cannot say whether the eSIM of order ${orderId} is installed: ${sentenceOf(error)}`),
  );
  if (!isUnused) stop(`The eSIM of order ${orderId} is installed`);
}

/** Places the order that replaces the unit, and starts its workflow. */
async function replaced(
  context: Context,
  claimId: number,
  { credit, isForced }: { credit: SupplierCredit | undefined; isForced: boolean },
): Promise<string> {
  const { database } = context;
  // A lazy import: commands that do not need Temporal start in a fraction of the time.
  const { planReplacement, SaleStopped, startReplacement } = await import('../../../ordering/replacement-plans.js');
  const sealer = new Sealer(await context.keyRing());
  const deps = { database, sealer, suppliers: context.suppliers() };
  const planned = await planReplacement(deps, claimId, { isForced }).catch((error: unknown) => {
    if (!(error instanceof SaleStopped)) throw error;
    throw new ForceRequired(`${error.message}: add --force to replace it anyway. Nothing was changed.`);
  });
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

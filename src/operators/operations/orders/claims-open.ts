/** `claims open`: a claim that an operator opens for a client. docs/operators/claims.md. */
import { assertClaimable, findOperatedClaim, openClaim } from '../../../data/orders/operated-claims';
import { claimKinds, MAX_CLAIM_TEXT } from '../../../domain/orders/claim-kinds';
import { orderField, Sealer } from '../../../security/sealing';
import { confidential, option, requiredOption, word, type ArgumentValues } from '../arguments';
import type { Context } from '../context';
import { sentenceOf } from '../failure';
import { boundedText, count, id, oneOf } from '../kinds';
import { operation } from '../operation';
import { tried } from '../tried';
import { wakeMonitor } from './esims';
import { orderStanding } from './order-checks';

const openArguments = {
  order: word(id, 'id'),
  kind: word(oneOf('kind', claimKinds), 'what is wrong with the goods'),
  unit: option(count, 'the gift card, counted from 1; of gift card orders only'),
  text: confidential(requiredOption(boundedText('text', MAX_CLAIM_TEXT), 'what happened; the client reads it')),
};

export const open = operation({
  name: 'claims open',
  button: 'Open a claim',
  about: 'Open a claim for a client that reports goods in another way. The client reads it, and is notified',
  roles: ['support'],
  effect: 'changes',
  givesAccess: false,
  arguments: openArguments,
  check: async ({ database, config }, { order: orderId, unit }) =>
    orderId === undefined || assertClaimable(database, { orderId, unit: unit ?? null, days: config.claims.days }),
  trial: 'PREVIEW',
  async preview(context, values) {
    const { shown } = await tried(context, async (trial) =>
      findOperatedClaim(trial.database, await opened(trial, values)),
    );
    const { order_id: orderId, unit, client, product, due_at: due } = shown;
    const goods = unit === null ? product : `card ${unit} (${product})`;
    return `Opens a claim of ${client} about ${goods} of order ${orderId}. The client reads the text, and is notified. The answer is due at ${due.toISOString()}.`;
  },
  async run(context, values) {
    return `Claim ${await opened(context, values)} is OPEN.`;
  },
});

/** Opens the claim. Returns its id. */
async function opened(
  context: Context,
  { order: orderId, kind, unit, text }: ArgumentValues<typeof openArguments>,
): Promise<number> {
  const { database, config } = context;
  const sealer = new Sealer(await context.keyRing());
  const { nonce } = await orderStanding(database, orderId);
  if (kind === 'UNUSED') await requireNotInstalled(context, { orderId, nonce }, sealer);
  return openClaim(database, {
    orderId,
    unit: unit ?? null,
    kind,
    sealedText: sealer.seal(orderField(nonce, 'claim'), text),
    days: config.claims.days,
    dueDays: config.claims.dueDays,
  });
}

/** Polls the supplier, as a claim of the client does. Throws if it does not answer, or if the eSIM is installed. */
async function requireNotInstalled(
  context: Context,
  order: { orderId: number; nonce: string },
  sealer: Sealer,
): Promise<void> {
  // A lazy import: the module loads Temporal's client, which would slow every command.
  const { isNotInstalled } = await import('../../../ordering/esims/esim-status.js');
  const deps = { database: context.database, sealer, suppliers: context.suppliers() };
  const isUnused = await isNotInstalled(deps, order, () => wakeMonitor(context, order)).catch((error: unknown) => {
    throw new Error(
      `The supplier cannot say whether the eSIM of order ${order.orderId} is installed: ${sentenceOf(error)}`,
    );
  });
  if (!isUnused) throw new Error(`The eSIM of order ${order.orderId} is installed already`);
}

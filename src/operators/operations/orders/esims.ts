/** `esims`: the delivered eSIMs of orders. */
import type { Database } from '../../../data/database/database';
import { findEsim } from '../../../data/esims/stored-esims';
import { findOperatedEsim, type OperatedEsim, operatedEsimColumns } from '../../../data/esims/operated-esims';
import { recordOperation } from '../../../data/audit/audit-entries';
import { esimWorkflowId } from '../../../domain/orders/order-ids';
import type { OrderKey } from '../../../domain/orders/order-messages';
import { Sealer } from '../../../security/sealing';
import { requireSupplier } from '../../../domain/suppliers/configured-suppliers';
import { word } from '../arguments';
import type { Context } from '../context';
import { sentenceOf } from '../failure';
import { id } from '../kinds';
import { everyRole, operation, type Page, type Plain } from '../operation';
import { table } from '../text';
import { kindsOf } from '../../../domain/row-columns';

const order = word(id, 'id');

const show = operation({
  name: 'esims show',
  button: 'Show the usage',
  about: 'The states and times of an eSIM, and its usage as the supplier last reported it',
  roles: everyRole,
  effect: 'reads',
  arguments: { order },
  columns: { ...kindsOf(operatedEsimColumns), monitor: 'text' },
  run: ({ database }, { order: orderId }) => shownEsim(database, orderId),
  text: (esims, page) => fieldsOf(esims, page),
});

const poll = operation({
  name: 'esims poll',
  about: 'Ask the supplier of an eSIM for its status at once, and store what has changed',
  roles: ['support'],
  effect: 'changes',
  harmless: 'It only reads a status from the supplier.',
  arguments: { order },
  trial: 'NONE',
  check: async (context, { order: orderId }) => orderId === undefined || pollableEsim(context, orderId),
  async run(context, { order: orderId }) {
    await pollSupplier(context, await pollableEsim(context, orderId));
    return shownEsim(context.database, orderId);
  },
  text: fieldsOf,
});

async function esimOf(database: Database, orderId: number): Promise<OperatedEsim> {
  const esim = await findOperatedEsim(database, orderId);
  if (!esim) throw new Error(`Order ${orderId} has no delivered eSIM. See its state with: orders show ${orderId}`);
  return esim;
}

/** The eSIM. Throws if it has ended, or if its supplier reports no status. */
async function pollableEsim(context: Context, orderId: number): Promise<OperatedEsim> {
  const esim = await esimOf(context.database, orderId);
  if (esim.status === 'EXPIRED')
    throw new Error(`The eSIM of order ${orderId} is EXPIRED, which is final: it needs no poll`);
  if (!requireSupplier(context.suppliers(), esim.supplier).esimStatus)
    throw new Error(
      `Supplier ${esim.supplier} does not report the status of eSIMs: look it up in the supplier's portal`,
    );
  return esim;
}

/** Polls the supplier as the eSIM's monitor does, and wakes the monitor if the eSIM has changed. */
async function pollSupplier(
  context: Context,
  { order_id: orderId, nonce, client_id: clientId }: OperatedEsim,
): Promise<void> {
  const { database } = context;
  const suppliers = context.suppliers();
  const sealer = new Sealer(await context.keyRing());
  // A lazy import: the module loads Temporal's client, which would slow every command.
  const { syncAndWake } = await import('../../../ordering/esims/esim-status.js');
  const before = await findEsim(database, { orderId, nonce });
  const wake = () => wakeMonitor(context, { orderId, nonce });
  const after = await syncAndWake({ database, sealer, suppliers }, before, wake);
  await recordOperation(database, {
    clientId,
    action: 'esim.polled',
    object: `order/${orderId}`,
    before: { status: before.activationStatus },
    after: { status: after.activationStatus },
  });
}

/** Lets the eSIM's monitor poll at once, when the change that a poll has found is committed. */
export function wakeMonitor(context: Context, { orderId, nonce }: OrderKey): Promise<void> {
  return context.onceCommitted(async () => {
    // A lazy import, as above.
    const { retryNow } = await import('../../../ordering/order-workflow.js');
    await context
      .withTemporal((temporal) => retryNow(temporal, esimWorkflowId(orderId, nonce)))
      .catch((error: unknown) => {
        context.remark(`The monitor of the eSIM finds the change at its next poll: ${sentenceOf(error)}`);
      });
  });
}

async function shownEsim(database: Database, orderId: number) {
  const { nonce, ...esim } = await esimOf(database, orderId);
  return [{ ...esim, monitor: esimWorkflowId(esim.order_id, nonce) }];
}

/** One line for each value. */
function fieldsOf(esims: Plain<Awaited<ReturnType<typeof shownEsim>>>, { tableColumns }: Page): string {
  const fields = esims.flatMap((esim) => Object.entries(esim).map(([field, value]) => ({ field, value })));
  return table(fields, tableColumns);
}

export const esimOperations = [show, poll];

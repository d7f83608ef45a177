/** `esims`: the delivered eSIMs of orders. */
import type { Command } from 'commander';
import type { Database } from '../../data/database/database';
import { findEsim } from '../../data/esims/esim-lifecycle';
import { findOperatedEsim, type OperatedEsim } from '../../data/esims/operated-esims';
import { recordOperation } from '../../data/operations/audit';
import { esimWorkflowId } from '../../domain/orders/order-ids';
import { Sealer } from '../../security/sealing';
import { requireSupplier } from '../../suppliers/registry';
import * as read from '../arguments';
import { table, wantsJson } from '../output';
import { keysOf, onDatabase, type Session } from '../session';
import { suppliersOf } from '../suppliers';

export function addEsimCommands(program: Command): void {
  const esims = program.command('esims').description('Delivered eSIMs');
  esims
    .command('show')
    .description('The states and times of an eSIM, and its usage as the supplier last reported it')
    .argument('<order>', 'id', read.positiveInteger)
    .action(
      onDatabase(async ({ database, command }, orderId: number) =>
        shown(command, await esimOf(database, orderId)),
      ),
    );

  esims
    .command('poll')
    .description('Ask the supplier of an eSIM for its status at once, and store what has changed')
    .argument('<order>', 'id', read.positiveInteger)
    .action(
      onDatabase(async (session, orderId: number) => {
        const { database, command } = session;
        await poll(session, await esimOf(database, orderId));
        return shown(command, await esimOf(database, orderId));
      }),
    );
}

async function esimOf(database: Database, orderId: number): Promise<OperatedEsim> {
  const esim = await findOperatedEsim(database, orderId);
  if (!esim)
    throw new Error(`Order ${orderId} has no delivered eSIM. See its state with: orders show ${orderId}`);
  return esim;
}

/** Polls the supplier as the eSIM's monitor does. The monitor sees a change at its own next poll. */
async function poll(
  { database, config, ...session }: Session,
  { order_id: orderId, nonce, client_id: clientId, status, supplier: name }: OperatedEsim,
): Promise<void> {
  if (status === 'EXPIRED')
    throw new Error(`The eSIM of order ${orderId} is EXPIRED, which is final: it needs no poll`);
  const suppliers = suppliersOf({ database, config });
  if (!requireSupplier(suppliers, name).esimStatus)
    throw new Error(
      `Supplier ${name} does not report the status of eSIMs: look it up in the supplier's portal`,
    );
  const sealer = new Sealer(await keysOf({ ...session, database }));
  // A lazy import: the module loads Temporal's client, which would slow every command.
  const { syncEsim } = await import('../../ordering/esims/esim-status.js');
  const before = await findEsim(database, { orderId, nonce });
  const after = await syncEsim({ database, sealer, suppliers }, before, new Date());
  await recordOperation(database, {
    ...{ clientId, action: 'esim.polled', object: `order/${orderId}` },
    ...{ before: { status: before.activationStatus }, after: { status: after.activationStatus } },
  });
}

/** One line for each value; with `--json`, an array of one object. */
function shown(command: Command, { nonce, ...esim }: OperatedEsim): object[] | string {
  const all = { ...esim, monitor: esimWorkflowId(esim.order_id, nonce) };
  if (wantsJson(command)) return [all];
  return table(Object.entries(all).map(([field, value]) => ({ field, value })));
}

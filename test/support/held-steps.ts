/** Orders that stop in one of the local activities with which they begin, because another transaction holds a lock. */
import { rows, type Database } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { orderWorkflowId } from '../../src/domain/orders/order-ids';
import type { OwnClient } from './clients';
import { lockWaits } from './lock-waits';
import { orderOf, ordersPath } from './orders';
import type { Answer, Resource } from './stack';
import { until } from '../../dev/testbed/waiting';

export type LocalStep = 'debitWallet' | 'tryToBuy' | 'settleOrder';

interface HeldOrder {
  orderId: number;
  workflowId: string;
  /** The answer to its order request. */
  answer: Promise<Answer<Resource>>;
  /** Lets the order go on. */
  release: () => Promise<void>;
}

/** A reservation refers to its wallet, and does not wait for this lock. */
const lockWallet = 'SELECT FROM wallets WHERE id = $wallet FOR NO KEY UPDATE';
/**
 * Each debit and each end of an order writes events. The first attempt stores goods in the statement that ends the order, so it waits for
 * the lock, until it leaves its workflow task to the activity that takes it over.
 */
const lockEvents = 'LOCK TABLE events IN SHARE MODE';

/** Takes the lock. Returns the function that gives it back. */
async function lock(database: Database, statement: string, wallet: number | undefined): Promise<() => Promise<void>> {
  let giveBack = (): void => undefined;
  const given = new Promise<void>((resolve) => (giveBack = resolve));
  let isLocked = (): void => undefined;
  const locked = new Promise<void>((resolve) => (isLocked = resolve));
  const transaction = database.transaction(async (open) => {
    await rows(database, statement, statement === lockWallet ? { wallet } : {}, open);
    isLocked();
    await given;
  });
  await Promise.race([locked, transaction]);
  return async () => {
    giveBack();
    await transaction;
  };
}

/**
 * Places an order of one unit that stops in this local activity. `settleOrder`: that of an order that the supplier rejects. `locking`
 * has two connections of its own.
 */
export async function orderHeldIn(
  step: LocalStep,
  { locking, database, client }: { locking: Database; database: Database; client: OwnClient },
): Promise<HeldOrder> {
  const statement = step === 'tryToBuy' ? lockEvents : lockWallet;
  const take = () => lock(locking, statement, client.wallets['USD']);
  const giveFirst = await take();
  const scenario = step === 'settleOrder' ? 'voucher_out_of_stock' : 'voucher_instant';
  const answer = client.api.post<Resource>(ordersPath, orderOf(scenario));
  await lockWaits(database, 1, 'order_reservations').catch(async (error: unknown) => {
    await giveFirst();
    throw error;
  });
  const { orderId, nonce } = await until(
    'the reservation',
    () =>
      sql.first(database)<{ orderId: number; nonce: string }>`SELECT order_id AS "orderId", nonce
         FROM order_reservations WHERE client_id = ${client.id} ORDER BY order_id DESC LIMIT 1`,
  );
  const held = { orderId, workflowId: orderWorkflowId(orderId, nonce), answer };
  if (step === 'debitWallet') return { ...held, release: giveFirst };
  // The second lock follows that of the debit, and holds back a step after it.
  const second = take();
  await lockWaits(database, 1, statement.slice(0, 12));
  await giveFirst();
  return { ...held, release: await second };
}

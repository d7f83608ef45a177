/** After everything was let go: waiting until nothing moves any more, for no longer than is promised. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './log';
import type { OrderView } from './actors/api';
import type { ApiUser } from './actors/client';
import type { Operators } from './actors/operators';
import type { SupplierControls } from './actors/supplier';
import { collections } from './plan/orders';
import { hasEnded, listEvents, listOrders, readableUnits } from './guarantees/facts';

/** What waiting needs. */
export interface Waiting {
  users: readonly ApiUser[];
  operators: Operators;
  supplier: SupplierControls;
  log: Log;
}

/** What Temporal lost is started again within 5 minutes; retries wait for as long as that, too. */
const LIMIT_MS = 8 * 60_000;
const LOOK_EVERY_MS = 3_000;
/** Retries wait for minutes by design: from then on operators ask for the next one at once, every so often. */
const HURRY_AFTER_MS = 20_000;
/** Orders on the list may still come to their end by themselves; they are given so long without any that does. */
const REST_MS = 45_000;

/** Waits until every order has ended, or none of those that are on the list does any more. */
export async function settle({ users, operators, log }: Waiting): Promise<void> {
  const began = performance.now();
  let lastChange = began;
  let lastHurry = began;
  let lastOpen = -1;
  while (performance.now() - began < LIMIT_MS) {
    const open = await openOrders(users);
    if (open.length === 0) return;
    const now = performance.now();
    if (open.length !== lastOpen) {
      [lastOpen, lastChange] = [open.length, now];
      log.say(`${open.length} orders are open`);
    }
    if (now - lastHurry > HURRY_AFTER_MS) {
      lastHurry = now;
      await operators.retryNow(open).catch((error: unknown) => log.say(`retryNow: ${String(error)}`));
    }
    if (now - lastChange > REST_MS && (await areListed(operators, open))) return;
    await sleep(LOOK_EVERY_MS);
  }
  log.say('not everything came to rest in time');
}

/**
 * A purchase that was given up is looked for a minute later, then after an hour and a day. Suppliers push how
 * purchases ended: what is still told of by nobody is pushed once more instead of waiting for so long.
 */
export async function pushUnreported({ users, operators, supplier, log }: Waiting): Promise<void> {
  const deadline = performance.now() + 180_000;
  while (performance.now() < deadline) {
    const untold = await unreportedPurchases(users, operators, supplier);
    if (untold.length === 0) return;
    log.say(`${untold.length} purchases of orders that ended are told of by nobody: they are pushed`);
    for (const reference of untold) await supplier.push(reference);
    await sleep(15_000);
  }
}

/** Waits until each event of the log has arrived. */
export async function awaitWebhooks({ users, log }: Waiting): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (performance.now() < deadline) {
    const missing = (await Promise.all(users.map(missingEvents))).flat();
    if (missing.length === 0) return;
    log.say(`${missing.length} events are on their way`);
    await sleep(LOOK_EVERY_MS);
  }
}

async function missingEvents(user: ApiUser): Promise<string[]> {
  const events = [...(await listEvents(user)).values()].flat();
  return events.map(({ id }) => id).filter((id) => !user.receiver.taken.has(id));
}

async function openOrders(users: readonly ApiUser[]): Promise<number[]> {
  const orders = (await Promise.all(users.map(listOrders))).flat();
  return orders.filter((order) => !hasEnded(order)).map(({ id }) => id);
}

async function areListed(operators: Operators, open: readonly number[]): Promise<boolean> {
  const listed = new Set((await operators.listedOrders()).map(({ order_id: id }) => id));
  return open.every((id) => listed.has(id));
}

/** Purchases of orders that ended with less than was sold for them, while no operator is told of it. */
async function unreportedPurchases(
  users: readonly ApiUser[],
  operators: Operators,
  supplier: SupplierControls,
): Promise<string[]> {
  const listed = await operators.listedOrders();
  const told = new Set(listed.filter(({ kind }) => kind === 'GOODS_APART').map(({ order_id: id }) => id));
  const purchases = await supplier.bought();
  const untold: string[] = [];
  for (const user of users) {
    for (const { id, family, status } of await listOrders(user)) {
      if ((status !== 'FAILED' && status !== 'CANCELLED') || told.has(id)) continue;
      const ofOrder = purchases.filter(({ order_id: orderId }) => orderId === id);
      const sold = ofOrder.reduce((sum, { units }) => sum + units, 0);
      const view = await user.api.read<OrderView>(`${collections[family]}/${id}`);
      if (sold > readableUnits(family, view)) untold.push(...ofOrder.map(({ reference }) => reference));
    }
  }
  return untold;
}

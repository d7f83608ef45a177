/** The rest phase after all disturbances: waits until orders and events are done, within the guaranteed times. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './log';
import type { OrderView } from './actors/api';
import type { ApiUser } from './actors/client';
import { claimGoods, pendingErasures } from './actors/client-after-sale';
import type { Operators } from './actors/operators';
import { rechargeEsim } from './actors/recharges';
import type { Bought } from './actors/supplier';
import type { Suppliers } from './actors/suppliers';
import { tricks } from './plan/disturbance';
import { CLIENTS, collections } from './plan/orders';
import { surplusKinds } from './guarantees/facts';
import { hasEnded, listEvents, listOrders, readableUnits } from './guarantees/gather';

/** The parameters of the rest phase. */
export interface Waiting {
  users: readonly ApiUser[];
  operators: Operators;
  suppliers: Suppliers;
  log: Log;
}

/** Maintenance restarts lost workflows within 5 minutes, and retries wait up to 5 minutes. */
const LIMIT_MS = 8 * 60_000;
const POLL_INTERVAL_MS = 3_000;
/** Retries may wait for minutes. After this time operators trigger them at intervals. */
const HURRY_AFTER_MS = 20_000;
/** Listed orders may still end without an operator. The phase ends after this time without a change. */
const REST_MS = 45_000;
/** Choices of eSIMs and plans. */
const ROUNDS = [0.12, 0.45, 0.78];

/**
 * Waits until every order has ended, or only listed orders are open and none of them changes. `decisions` may place orders that replace
 * units, so it waits for those, too. Returns the open orders that are not listed at the time limit.
 */
export async function settle(waiting: Waiting, decisions: Promise<void>): Promise<number[]> {
  let isDecided = false;
  const decided = decisions.finally(() => (isDecided = true));
  const [unlisted] = await Promise.all([settleOrders(waiting, () => isDecided), decided]);
  return unlisted;
}

async function settleOrders({ users, operators, log }: Waiting, isDecided: () => boolean): Promise<number[]> {
  const began = performance.now();
  let lastChange = began;
  let lastHurry = began;
  let lastOpen = -1;
  while (performance.now() - began < LIMIT_MS) {
    const isLast = isDecided();
    const open = await openOrders(users);
    if (open.length === 0 && isLast) return [];
    const now = performance.now();
    if (open.length !== lastOpen) {
      [lastOpen, lastChange] = [open.length, now];
      log.say(`${open.length} orders are open`);
    }
    if (now - lastHurry > HURRY_AFTER_MS) {
      lastHurry = now;
      await operators.retryNow(open).catch((error: unknown) => log.say(`retryNow: ${String(error)}`));
    }
    const isAtRest = isLast && now - lastChange > REST_MS;
    if (isAtRest && (await notListed(operators, open)).length === 0) return [];
    await sleep(POLL_INTERVAL_MS);
  }
  log.say('some orders were still changing at the time limit');
  return notListed(operators, await openOrders(users));
}

/**
 * Releases held orders, recharges eSIMs, claims a unit of each client, lets the dishonest operator try every trick, accepts the claims and approves the
 * proposals that wait. A short run has few delivered orders before.
 */
export async function decideAfterSale({ users, operators, suppliers, log }: Waiting): Promise<void> {
  await operators.releaseHeld(log.say);
  // A device installs one eSIM in each round, and the next one recharges it.
  for (const choice of ROUNDS)
    for (const user of users.slice(0, CLIENTS)) log.say(await rechargeEsim(user, choice, suppliers));
  const claims = users.map((user, index) => claimGoods(user, index / users.length));
  for (const claimed of await Promise.all(claims)) log.say(claimed);
  // Each on another order: a replaced unit cannot be claimed again.
  for (const [index, trick] of tricks.entries())
    log.say(`fraud ${trick}: ${await operators.dishonest.act(trick, index / tricks.length, users)}`);
  await operators.afterSale.decideRest(log.say);
}

/** Ends the open orders by operators' decisions. Returns those that are still open at the time limit. */
export async function decideOpen({ users, operators, log }: Waiting): Promise<number[]> {
  const deadline = performance.now() + LIMIT_MS;
  while (performance.now() < deadline) {
    const open = await openOrders(users);
    if (open.length === 0) return [];
    for (const orderId of open) log.say(await operators.end(orderId));
    await sleep(POLL_INTERVAL_MS);
  }
  return openOrders(users);
}

/**
 * The service looks up an abandoned purchase after a minute, an hour and a day. Instead of waiting that long, this repeats
 * the simulator's push for each purchase that is not on the attention list, and reconciles with the other suppliers.
 */
export async function pushUnreported({ users, operators, suppliers, log }: Waiting): Promise<void> {
  const deadline = performance.now() + 180_000;
  while (performance.now() < deadline) {
    const unreported = await unreportedPurchases(users, operators, suppliers);
    if (unreported.length === 0) return;
    const names = unreported.map(({ supplier, reference }) => `${supplier} ${reference}`);
    log.say(`${unreported.length} purchases of ended orders are not listed yet: ${names.join(', ')}`);
    for (const { supplier, reference } of unreported) {
      if (supplier === 'simulator') await suppliers.simulator.push(reference);
    }
    await sleep(15_000);
    // Their webhooks and the lookup after a minute come first.
    const isOld = performance.now() > deadline - 90_000;
    if (isOld && unreported.some(({ supplier }) => supplier !== 'simulator')) await operators.settleSales();
  }
}

/** Waits until each event of the log has arrived. */
export async function awaitWebhooks({ users, log }: Waiting): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (performance.now() < deadline) {
    const missing = (await Promise.all(users.map(missingEvents))).flat();
    if (missing.length === 0) return;
    log.say(`${missing.length} events have not arrived`);
    await sleep(POLL_INTERVAL_MS);
  }
}

/** Waits until the erased recipients are gone. */
export async function awaitErasures({ users, log }: Waiting): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (performance.now() < deadline) {
    const pending = (await Promise.all(users.map(pendingErasures))).reduce((sum, one) => sum + one, 0);
    if (pending === 0) return;
    log.say(`${pending} orders are not erased`);
    await sleep(POLL_INTERVAL_MS);
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

async function notListed(operators: Operators, open: readonly number[]): Promise<number[]> {
  const listed = new Set((await operators.listedOrders()).map(({ order_id: id }) => id));
  return open.filter((id) => !listed.has(id));
}

/** Purchases of ended orders with more sold than readable units that are not on the attention list. */
async function unreportedPurchases(
  users: readonly ApiUser[],
  operators: Operators,
  suppliers: Suppliers,
): Promise<Bought[]> {
  const listed = [...(await operators.listedOrders()), ...operators.credited];
  const reported = new Set(listed.filter(({ kind }) => surplusKinds.includes(kind)).map(({ order_id: id }) => id));
  const purchases = await suppliers.bought();
  const unreported: Bought[] = [];
  for (const user of users) {
    for (const { id, family, status } of await listOrders(user)) {
      if ((status !== 'FAILED' && status !== 'CANCELLED') || reported.has(id)) continue;
      const ofOrder = purchases.filter(({ order_id: orderId }) => orderId === id);
      const sold = ofOrder.reduce((sum, { units }) => sum + units, 0);
      const view = await user.api.read<OrderView>(`${collections[family]}/${id}`);
      if (sold > readableUnits(family, view)) unreported.push(...ofOrder);
    }
  }
  return unreported;
}

/** One run: a stack, a plan, orders during disturbances, a rest phase, and the guarantees. */
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { disturb, type Counts, type Scene } from './disturb';
import { Log } from './log';
import { ApiUser } from './actors/client';
import { EndedAccess } from './actors/ended-access';
import { ExpensiveClient } from './actors/expensive-client';
import { Finance } from './actors/finance';
import { Operators } from './actors/operators';
import { SupplierControls } from './actors/supplier';
import { Suppliers } from './actors/suppliers';
import { CLIENTS, collections } from './plan/orders';
import type { Plan } from './plan/plan';
import { type Facts } from './guarantees/facts';
import { gather } from './guarantees/gather';
import type { Broken } from './guarantees/broken';
import { brokenGuarantees } from './guarantees/guarantees';
import { readMargins, wrongMargins } from './guarantees/margins';
import { failedProofs } from './guarantees/proofs';
import { delayedOrders } from './guarantees/while-down';
import { awaitErasures, awaitWebhooks, decideAfterSale, decideOpen, pushUnreported, settle } from './settle';
import { writeExtraSources } from './stack/extra-sources';
import { DisturbedStack } from './stack/stack';

export interface RunResult {
  plan: Plan;
  facts: Facts;
  /** The number of each kind of disturbance. */
  counts: Counts;
  broken: Broken[];
  log: Log;
  /** The orders of broken guarantees, in the output of the ops CLI. */
  reports: unknown[];
}

/** The currency of each client's wallet: vouchers and top-ups are in the first one. */
const currencies = ['USD', 'EUR'];
/** For each order a second of all clients. More than one client sends, and less than calls with its ended access would use up. */
const ORDERS_A_MINUTE = 60;
/** Units of the order whose reads are large; the supplier may sell one at a time. */
const LARGE_ORDER = 100;
/** How many orders of broken guarantees are shown in full. */
const REPORTED = 10;

/** Carries out the plan on a separate stack. */
export async function run(plan: Plan): Promise<RunResult> {
  const log = new Log();
  const stack = await DisturbedStack.start(plan, log.say);
  const stop = stopOnRequest(stack);
  const letGo = new AbortController();
  // Every running disturbance listens to it.
  setMaxListeners(0, letGo.signal);
  let scene: Scene | undefined;
  try {
    scene = await setScene(plan, stack, log, letGo.signal);
    const { counts, delayed } = await disturbOrders(plan, scene, letGo);
    log.say('all disturbances end');
    const waiting = { ...scene, log };
    const unlisted = await settle(waiting, decideAfterSale(waiting));
    const undecided = await decideOpen(waiting);
    // A claim whose replacement failed waits again.
    const unanswered = await scene.operators.afterSale.closeClaims(log.say);
    log.say(await scene.finance.importAll());
    await pushUnreported(waiting);
    await awaitWebhooks(waiting);
    await awaitErasures(waiting);
    const answered = stack.answeredPurchases();
    const facts = await gather({
      ...scene,
      answered,
      described: (...sale) => stack.described(...sale),
      mailboxUrl: stack.file.mailbox_url,
      databaseUrl: stack.file.database_url,
    });
    for (const [answer, times] of scene.ended.answers) counts.set(`order answered ${answer}`, times);
    const broken = [
      ...delayed,
      ...openOrders('every open order is on the attention list', unlisted),
      ...openOrders('operators can end every order', undecided),
      ...unanswered.map((id) => ({
        guarantee: 'operators can decide every claim',
        orderIds: [],
        detail: `claim ${id} still waits`,
      })),
      ...brokenGuarantees(facts),
      ...wrongMargins(facts.orders, await readMargins(stack.file.database_url)),
      ...(await failedProofs(scene.operators, facts.orders)),
    ];
    const reports = await reportsOf(broken, scene.operators);
    for (const [name, done] of stack.supplierFaults()) counts.set(name, done);
    return { plan, facts, counts, broken, log, reports };
  } finally {
    scene?.users.forEach(({ receiver }) => receiver.close());
    await scene?.operators.close();
    await stop();
  }
}

function openOrders(guarantee: string, orderIds: readonly number[]): Broken[] {
  return orderIds.map((id) => ({ guarantee, orderIds: [id], detail: `order ${id} is open` }));
}

/** Stops the stack on a signal. Returns the function that stops it. */
function stopOnRequest(stack: DisturbedStack): () => Promise<void> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const;
  const end = (): void => void stack.stop().finally(() => process.exit(130));
  for (const signal of signals) process.once(signal, end);
  return () => {
    for (const signal of signals) process.off(signal, end);
    return stack.stop();
  };
}

async function setScene(
  { dedup, sources, rate }: Plan,
  stack: DisturbedStack,
  log: Log,
  letGo: AbortSignal,
): Promise<Scene> {
  const { file, operatorEnvironment } = stack;
  const secret = operatorEnvironment['SIMULATOR_SECRET'] ?? '';
  const simulator = new SupplierControls(file.simulator_url, dedup, secret, file.api_url);
  await simulator.behave(null);
  const suppliers = Suppliers.of(simulator, file);
  const operators = await Operators.open(operatorEnvironment, suppliers);
  const users: ApiUser[] = [];
  for (const currency of currencies.slice(0, CLIENTS)) {
    const orders = Math.ceil(rate * ORDERS_A_MINUTE);
    users.push(await ApiUser.open(`faults-${currency}`, currency, operators, file, { orders }));
  }
  await readPlans(users);
  const finance = new Finance(operators);
  await finance.prepare(users);
  if (sources) await writeExtraSources(file.database_url);
  const large = await ApiUser.open('faults-large', 'USD', operators, file);
  await operators.dishonest.prepare(large, file.database_url);
  await operators.afterSale.setRules(currencies);
  const expensive = await ExpensiveClient.open(large, file.api_url, LARGE_ORDER);
  const [first = large] = users;
  const ended = await EndedAccess.of(first, operators, file.api_url);
  return { stack, suppliers, operators, users: [...users, large], expensive, ended, finance, log, letGo };
}

/** Reads the plans of every eSIM product. The service stores them at the first read, which must not fall into a fault. */
async function readPlans([user]: readonly ApiUser[]): Promise<void> {
  for (const { path, body } of user?.scenarios ?? []) {
    if (path !== collections.ESIM) continue;
    await user?.api.read(`/api/v1/esim/products/${String(body['product_id'])}/variants`);
  }
}

/** Places the orders and disturbs them until the plan's time is over. Then ends all disturbances. */
async function disturbOrders(
  plan: Plan,
  scene: Scene,
  letGo: AbortController,
): Promise<{ counts: Counts; delayed: Broken[] }> {
  const { log, users, stack, suppliers } = scene;
  const counts: Counts = new Map();
  log.begin();
  const until = (at: number) => sleep(Math.max(0, at - log.now));
  const orders = plan.orders.map(async (planned) => {
    await until(planned.at);
    await users[planned.client]?.order(planned, letGo.signal);
  });
  const disturbances = plan.disturbances.map(async (planned) => {
    await until(planned.at);
    await disturb(scene, planned, counts);
  });
  await until(plan.seconds * 1_000);
  const delayed = plan.down ? await delayedOrders(plan, plan.down, users) : [];
  letGo.abort();
  await Promise.all(disturbances);
  stack.release();
  await whenReady(stack);
  await suppliers.behaveWell();
  await Promise.all(orders);
  return { counts, delayed };
}

/** Waits until the API reaches everything and the supplier answers. */
async function whenReady(stack: DisturbedStack): Promise<void> {
  const { api_url: apiUrl, simulator_url: simulatorUrl } = stack.file;
  for (const url of [`${apiUrl}/ready`, `${simulatorUrl}/health`]) {
    for (let tries = 0; tries < 120; tries++) {
      const response = await fetch(url).catch(() => undefined);
      await response?.body?.cancel();
      if (response?.ok) break;
      await sleep(500);
    }
  }
}

async function reportsOf(broken: readonly Broken[], operators: Operators): Promise<unknown[]> {
  const ids = [...new Set(broken.flatMap(({ orderIds }) => orderIds))].slice(0, REPORTED);
  const reports: unknown[] = [];
  for (const id of ids) reports.push(await operators.show(id).catch(String));
  return reports;
}

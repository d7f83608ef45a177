/** Carries out a disturbance: starts it, and ends it after its time or when all disturbances end. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './log';
import { picked } from './actors/after-sale';
import { claimGoods, eraseRecipient } from './actors/client-after-sale';
import { rechargeEsim } from './actors/recharges';
import type { ApiUser } from './actors/client';
import { takeCores } from './actors/cores';
import type { EndedAccess } from './actors/ended-access';
import type { ExpensiveClient } from './actors/expensive-client';
import type { Finance } from './actors/finance';
import type { Operators } from './actors/operators';
import type { Suppliers } from './actors/suppliers';
import type { Disturbance } from './plan/disturbance';
import { CLIENTS } from './plan/orders';
import { share } from './random';
import type { DisturbedStack } from './stack/stack';

/** The targets of disturbances. */
export interface Scene {
  stack: DisturbedStack;
  suppliers: Suppliers;
  operators: Operators;
  users: readonly ApiUser[];
  expensive: ExpensiveClient;
  ended: EndedAccess;
  finance: Finance;
  log: Log;
  /** Aborted when all disturbances end. */
  letGo: AbortSignal;
}

/** How often each kind of disturbance was carried out, by its name. */
export type Counts = Map<string, number>;

/** Carries out the disturbance and returns when it is over. A failure is only logged. */
export async function disturb(scene: Scene, disturbance: Disturbance, counts: Counts): Promise<void> {
  const name = nameOf(disturbance);
  try {
    const told = await begin(scene, disturbance);
    counts.set(name, (counts.get(name) ?? 0) + 1);
    scene.log.say(`${describe(disturbance)}${told.outcome === undefined ? '' : `: ${told.outcome}`}`);
    if (!told.end) return;
    await sleep('ms' in disturbance ? disturbance.ms : 0, undefined, { signal: scene.letGo }).catch(() => undefined);
    await told.end();
    scene.log.say(`  over: ${describe(disturbance)}`);
  } catch (error) {
    scene.log.say(`${describe(disturbance)}: not done: ${sentenceOf(error)}`);
  }
}

interface Begun {
  /** Ends the disturbance. */
  end?: () => void | Promise<void>;
  /** The immediate result. */
  outcome?: string | undefined;
}

async function begin(scene: Scene, disturbance: Disturbance): Promise<Begun> {
  const { stack, suppliers, operators, users, expensive, ended } = scene;
  const { simulator } = suppliers;
  switch (disturbance.kind) {
    case 'kill':
      stack.kill(disturbance.process);
      return {};
    case 'freeze':
      return { end: stack.freeze(disturbance.process) };
    case 'cut': {
      const proxy = stack.proxies[disturbance.side][disturbance.server];
      if (disturbance.how === 'refuse') proxy.refuse();
      else proxy.silence();
      return { end: () => proxy.restore() };
    }
    case 'slow': {
      const proxy = stack.proxies[disturbance.side][disturbance.server];
      proxy.slow(disturbance.delayMs);
      return { end: () => proxy.restore() };
    }
    case 'network':
      return { end: stack.supplier(disturbance.supplier).begin(disturbance) };
    case 'down':
      return { end: stack.supplier(disturbance.supplier).takeDown(disturbance.outage) };
    case 'changed-answers': {
      const end = stack.supplier(disturbance.supplier).change(disturbance.change);
      // The lists are read once a day otherwise.
      if (disturbance.change === 'list price') await operators.readLists();
      return { end };
    }
    case 'supplier':
      await simulator.misbehave(disturbance.modes, disturbance.sku);
      return { end: () => simulator.behave(disturbance.sku) };
    case 'busy-cores':
      return { end: takeCores(disturbance.ms) };
    case 'outage':
      await simulator.outage(disturbance.ms / 1_000);
      return {};
    case 'account':
      await simulator.account(true);
      return { end: () => simulator.account(false) };
    case 'fake': {
      const fake = suppliers.fake(disturbance.supplier);
      await fake.misbehave(disturbance.modes);
      return { end: () => fake.behave() };
    }
    case 'empty-account': {
      const fake = suppliers.fake(disturbance.supplier);
      await fake.emptyAccount();
      return { end: () => fake.fundAccount() };
    }
    case 'receiver':
      for (const { receiver } of users) receiver.isOutOfOrder = true;
      return { end: () => users.forEach(({ receiver }) => (receiver.isOutOfOrder = false)) };
    case 'clock':
      stack.clock.step(disturbance.seconds);
      return { end: () => stack.clock.step(0) };
    case 'signals':
      return { end: operators.signalAll() };
    case 'expensive-client':
      return { end: expensive.begin(disturbance.load) };
    case 'ended-access':
      return { end: ended.begin() };
    case 'claim':
    case 'erase':
    case 'recharge':
    case 'money':
    case 'fraud':
    case 'operator':
      return { outcome: await acted(scene, disturbance) };
  }
}

/** Carries out what a person does. Returns what happened. */
async function acted(
  { users, suppliers, operators, finance }: Scene,
  disturbance: Extract<Disturbance, { choice: number }>,
): Promise<string | undefined> {
  const { choice } = disturbance;
  const user = picked(users, share(choice, 3));
  // Of the clients of the planned orders: others have no eSIM and no second wallet.
  const ordering = picked(users.slice(0, CLIENTS), share(choice, 3));
  switch (disturbance.kind) {
    case 'claim':
      return user && claimGoods(user, choice);
    case 'erase':
      return user && eraseRecipient(user, choice);
    case 'recharge':
      return ordering && rechargeEsim(ordering, choice, suppliers);
    case 'money':
      return ordering && finance.act(disturbance.act, choice, ordering);
    case 'fraud':
      return operators.dishonest.act(disturbance.trick, choice, users);
    case 'operator': {
      const orderIds = users.flatMap((one) => [...one.orderIds]).sort((one, other) => one - other);
      return operators.act(disturbance.act, choice, orderIds);
    }
  }
}

/** The name under which the kind is counted. */
function nameOf(disturbance: Disturbance): string {
  switch (disturbance.kind) {
    case 'kill':
    case 'freeze':
      return `${disturbance.kind} ${disturbance.process}`;
    case 'cut':
    case 'slow':
      return `${disturbance.kind} ${disturbance.server}`;
    case 'network':
      return `network ${disturbance.supplier} ${disturbance.fault.name}`;
    case 'down':
    case 'empty-account':
      return `${disturbance.kind} ${disturbance.supplier}`;
    case 'changed-answers':
      return `${disturbance.supplier} says another ${disturbance.change}`;
    case 'fake':
      return `${disturbance.supplier} ${Object.keys(disturbance.modes).join(' ')}`;
    case 'supplier':
      return `supplier ${Object.keys(disturbance.modes).join(' ')}`;
    case 'fraud':
      return `fraud: ${disturbance.trick}`;
    case 'money':
      return `money: ${disturbance.act}`;
    case 'operator':
      return `operator ${disturbance.act}`;
    case 'expensive-client':
      return `expensive ${disturbance.load}`;
    case 'clock':
    case 'signals':
    case 'claim':
    case 'recharge':
    case 'erase':
    case 'ended-access':
    case 'busy-cores':
    case 'outage':
    case 'account':
    case 'receiver':
      return disturbance.kind;
  }
}

function describe({ kind, ...rest }: Disturbance): string {
  const details = Object.entries(rest).filter(([name]) => name !== 'at' && name !== 'choice');
  const words = details.map(([name, value]) =>
    typeof value === 'object' ? JSON.stringify(value) : name === 'ms' ? `for ${value} ms` : String(value),
  );
  return [kind, ...words].join(' ');
}

function sentenceOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}

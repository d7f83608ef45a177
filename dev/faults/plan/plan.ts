/** The plan of a run, derived from its seed: the orders, the disturbances, and their times. */
import type { FakeName } from '../../stack/fakes';
import { Random } from '../random';
import { planAfterSale } from './after-sale';
import type { PlannedDisturbance } from './disturbance';
import { planConstantDisturbances, planDisturbances } from './disturbances';
import { planFakeDisturbances } from './fake-faults';
import { planFraud } from './fraud';
import { planMoney } from './money';
import { planOrders, type PlannedOrder } from './orders';
import { planSupplierOrders } from './supplier-orders';
import { supplierNames } from './suppliers';

/** What the options decide. */
export interface PlanOptions {
  /** The duration of orders and disturbances in each run. */
  seconds: number;
  /** Whether the simulator deduplicates by reference. If undefined, the seed decides. */
  dedup: boolean | undefined;
  /** Orders a second, on average. */
  rate: number;
  /** Whether the fakes of real suppliers run, too. */
  suppliers: boolean;
  /** Whether items of the fakes get further sources. */
  sources: boolean;
  /** The only disturbance: this fake is down all the time. */
  down: FakeName | undefined;
  /** The only disturbance: other programs take every core all the time. */
  busy: boolean;
}

export interface Plan {
  seed: number;
  seconds: number;
  /** Orders a second, on average. */
  rate: number;
  /** Whether the supplier deduplicates by reference. */
  dedup: boolean;
  suppliers: boolean;
  sources: boolean;
  down: FakeName | undefined;
  busy: boolean;
  /** The highest number of units in one purchase. */
  maxUnits: number;
  /** For decisions during the run, such as the supplier calls with faults. */
  chance: number;
  orders: PlannedOrder[];
  disturbances: PlannedDisturbance[];
}

/** A supplier stays down until the harness has seen which orders are delivered. */
const UNTIL_DELIVERED_MS = 600_000;

/** The plan of a run. The same seed with another length or rate gives another plan. */
export function makePlan(seed: number, options: PlanOptions): Plan {
  const { seconds, rate, dedup, suppliers, sources, down, busy } = options;
  const random = new Random(seed);
  const deduplicates = random.chance(0.5);
  const decided = dedup ?? deduplicates;
  const maxUnits = random.pick([500, 500, 25, 7, 1]);
  const [orders, disturbances, chance] = [random.fork(), random.fork(), random.fork()];
  const common = { seed, seconds, rate, dedup: decided, suppliers, sources, down, busy, maxUnits };
  const own = {
    orders,
    disturbances,
    suppliers: random.fork(),
    afterSale: random.fork(),
    fraud: random.fork(),
    money: random.fork(),
  };
  return { ...common, chance: chance.whole(0, 2 ** 31), ...contentOf(own, seed, decided, options) };
}

function contentOf(
  random: Record<'orders' | 'disturbances' | 'suppliers' | 'afterSale' | 'fraud' | 'money', Random>,
  seed: number,
  dedup: boolean,
  { seconds, rate, suppliers, down, busy }: PlanOptions,
): Pick<Plan, 'orders' | 'disturbances'> {
  if (down !== undefined) {
    return {
      orders: planSupplierOrders(random.suppliers, seed, seconds, rate),
      disturbances: [
        // Only a connection that was never made proves that nothing was bought, so that another source may sell it.
        {
          at: 0,
          kind: 'down',
          supplier: down,
          outage: { name: 'unreachable' },
          ms: seconds * 1_000 + UNTIL_DELIVERED_MS,
        },
      ],
    };
  }
  if (busy) {
    return {
      orders: planOrders(random.orders, seed, seconds, rate),
      disturbances: [{ at: 0, kind: 'busy-cores', ms: seconds * 1_000 }],
    };
  }
  if (!suppliers) {
    return {
      orders: planOrders(random.orders, seed, seconds, rate),
      disturbances: [
        ...planConstantDisturbances(random.disturbances, seconds, ['simulator']),
        ...planDisturbances(random.disturbances, seconds, dedup),
        ...planAfterSale(random.afterSale, seconds),
        ...planFraud(random.fraud, seconds),
        ...planMoney(random.money, seconds),
      ],
    };
  }
  // Many orders for goods of the fakes, because a fault at one of them meets only its own calls.
  return {
    orders: [
      ...planOrders(random.orders, seed, seconds, rate / 2),
      ...planSupplierOrders(random.suppliers, seed, seconds, rate),
    ],
    disturbances: [
      ...planConstantDisturbances(random.disturbances, seconds, supplierNames),
      ...planDisturbances(random.disturbances, seconds, dedup),
      ...planAfterSale(random.afterSale, seconds),
      ...planFraud(random.fraud, seconds),
      ...planMoney(random.money, seconds),
      ...planFakeDisturbances(random.suppliers, seconds),
    ],
  };
}

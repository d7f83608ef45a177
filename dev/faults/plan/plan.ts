/** A run from its seed alone: what is ordered, what goes wrong, and when. */
import { Random } from '../random';
import { planDisturbances, type PlannedDisturbance } from './disturbances';
import { planOrders, type PlannedOrder } from './orders';

export interface Plan {
  seed: number;
  seconds: number;
  /** Whether the supplier buys only once for one reference. */
  dedup: boolean;
  /** The most units the supplier sells in one purchase. */
  maxUnits: number;
  /** For what is decided on the way, such as which calls of the supplier are meddled with. */
  chance: number;
  orders: PlannedOrder[];
  disturbances: PlannedDisturbance[];
}

/** The plan of a run. Another length or rate with the same seed is another plan. */
export function makePlan(
  seed: number,
  { seconds, dedup, rate }: { seconds: number; dedup: boolean | undefined; rate: number },
): Plan {
  const random = new Random(seed);
  const deduplicates = random.chance(0.5);
  const decided = dedup ?? deduplicates;
  const maxUnits = random.pick([500, 500, 25, 7, 1]);
  const [orders, disturbances, chance] = [random.fork(), random.fork(), random.fork()];
  return {
    seed,
    seconds,
    dedup: decided,
    maxUnits,
    chance: chance.whole(0, 2 ** 31),
    orders: planOrders(orders, seed, seconds, rate),
    disturbances: planDisturbances(disturbances, seconds, decided),
  };
}

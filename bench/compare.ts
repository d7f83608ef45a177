/** An order of one voucher through HTTP beside a bare workflow of the same shape, in turns, so that both meet the same weather. */
import { latencies, median, throughput, verdict } from './figures';

/** Runs of each client before anything counts. */
const WARM_UP = 10;
const ROUNDS = 10;
const RUNS_ALONE = 20;
const CLIENTS = 8;
const RUNS_OF_EACH = 8;

interface Rivals {
  order: () => Promise<unknown>;
  bare: () => Promise<unknown>;
}

export async function compare(rivals: Rivals): Promise<void> {
  await throughput(rivals.order, CLIENTS, WARM_UP);
  await throughput(rivals.bare, CLIENTS, WARM_UP);

  const alone = await inTurns(rivals, async (work) => median(await latencies(work, RUNS_ALONE)));
  console.log('\nOne client, median latency');
  show(alone, 'ms');
  console.log(`  ratio                                     ${verdict(alone.order / alone.bare, 2, 'below')}`);

  const together = await inTurns(rivals, (work) => throughput(work, CLIENTS, RUNS_OF_EACH));
  console.log(`\n${CLIENTS} clients, throughput`);
  show(together, 'a second');
  const ratio = together.order / together.bare;
  console.log(`  ratio                                     ${verdict(ratio, 0.5, 'above')}`);
}

interface Figures {
  order: number;
  bare: number;
}

/** The median over the rounds of each rival's figure. */
async function inTurns(
  { order, bare }: Rivals,
  figureOf: (work: () => Promise<unknown>) => Promise<number>,
): Promise<Figures> {
  const figures = { order: [] as number[], bare: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    figures.order.push(await figureOf(order));
    figures.bare.push(await figureOf(bare));
  }
  return { order: median(figures.order), bare: median(figures.bare) };
}

function show({ order, bare }: Figures, unit: string): void {
  console.log(`  voucher order of one over HTTP            ${order.toFixed(1)} ${unit}`);
  console.log(`  bare workflow (local, regular, local)     ${bare.toFixed(1)} ${unit}`);
}

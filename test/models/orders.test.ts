/** An order of any family and its model: stored goods, partial deliveries, endings and repeats in any sequence. */
import fc from 'fast-check';
import type { Database } from '../../src/data/database/database';
import { advanceEsim } from '../../src/data/esims/stored-esims';
import { markPartiallyDelivered } from '../../src/data/orders/settle-order';
import type { Settlement } from '../../src/domain/orders/order-messages';
import type { Family } from '../../src/domain/orders/families';
import type { OrderStatus } from '../../src/domain/orders/order-states';
import { newHolder, type Holder } from '../../dev/testbed/ledger-rows';
import { storeUnits } from '../support/fulfilment';
import { createOrder, endOrder } from '../support/ledger-orders';
import { standingOf } from '../support/placed-order';
import { eventsOf } from '../support/records';
import { decimalOf, expectToFollow, outcomeOf, pick, walletState, type Step } from '../support/model-runs';
import { scratchDatabase } from '../../dev/testbed/scratch-database';

const { database } = scratchDatabase();

type EsimStep = 'installed' | 'activated' | 'depleted';

/** An order according to the specification's tables ("States and transitions"). */
class OrderModel {
  status: OrderStatus = 'PENDING';
  delivered = 0;
  readonly events: string[] = [];

  constructor(
    readonly family: Family,
    readonly quantity: number,
    /** In cents. */
    readonly price: number,
  ) {}

  get isOpen(): boolean {
    return this.status === 'PENDING' || this.status === 'PARTIALLY_DELIVERED';
  }

  store(units: number): void {
    if (this.isOpen) this.delivered = Math.min(this.quantity, this.delivered + units);
  }

  tellPart(): void {
    if (this.status !== 'PENDING' || this.delivered === 0 || this.delivered === this.quantity) return;
    this.enter('PARTIALLY_DELIVERED');
  }

  /** The refund to the wallet. */
  settle(isCancelled: boolean): number {
    if (!this.isOpen) return 0;
    if (this.delivered === this.quantity) this.enter('DELIVERED');
    else this.enter(isCancelled && this.delivered === 0 ? 'CANCELLED' : 'FAILED');
    if (this.status === 'DELIVERED') return 0;
    const kept = Math.floor((2 * this.price * this.delivered + this.quantity) / (2 * this.quantity));
    return this.price - kept;
  }

  /** An eSIM report. Each step is reported once, and no step follows the last one. */
  see(seen: EsimStep): void {
    if (this.family !== 'ESIM' || this.status !== 'DELIVERED' || this.events.includes('esim.depleted')) return;
    if (!this.events.includes(`esim.${seen}`)) this.events.push(`esim.${seen}`);
  }

  private enter(status: OrderStatus): void {
    this.status = status;
    const prefix = { VOUCHER: 'order', TOPUP: 'topup', ESIM: 'esim' }[this.family];
    this.events.push(`${prefix}.${status.toLowerCase()}`);
  }
}

interface Model {
  /** In cents. */
  balance: number;
  orders: OrderModel[];
}

interface Real {
  database: Database;
  holder: Holder;
  orderIds: number[];
}

type OrderStep = Step<Model, Real>;

const START = 500_000;
const index = fc.nat(4);
const isReady = ({ orders }: Readonly<Model>) => orders.length > 0;

const placing = fc
  .record({
    family: fc.constantFrom<Family>('VOUCHER', 'VOUCHER', 'TOPUP', 'ESIM'),
    units: fc.constantFrom(1, 2, 2, 4, 7),
    price: fc.integer({ min: 0, max: 5_000 }),
    maxUnits: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ family, units, price, maxUnits }): OrderStep => {
    const quantity = family === 'VOUCHER' ? units : 1;
    return {
      name: `place ${quantity} ${family} for ${price}, ${maxUnits} at a time`,
      run: async (model, { database, holder, orderIds }) => {
        const wish = { family, quantity, price: decimalOf(price, 2), maxUnits };
        const { orderId, placement } = await createOrder(database, holder, wish);
        expect(placement.outcome).toBe('PLACED');
        model.balance -= price;
        model.orders.push(new OrderModel(family, quantity, price));
        orderIds.push(orderId);
      },
    };
  });

const storing = fc
  .record({ which: index, units: fc.integer({ min: 1, max: 4 }) })
  .map(({ which, units }): OrderStep => ({
    name: `${units} units of order ${which} arrive`,
    isReady,
    run: async (model, { database, orderIds }) => {
      pick(model.orders, which)?.store(units);
      await storeUnits(database, pick(orderIds, which) as number, units);
    },
  }));

const telling = index.map((which): OrderStep => ({
  name: `order ${which} is reported as partly delivered`,
  isReady,
  run: async (model, { database, orderIds }) => {
    pick(model.orders, which)?.tellPart();
    await markPartiallyDelivered(database, pick(orderIds, which) as number);
  },
}));

const settlements = fc.constantFrom<Settlement>({}, { failureCode: 'PRODUCT_OUT_OF_STOCK' }, { cancelled: true });

const settling = fc
  .record({ which: index, settlement: settlements, times: fc.constantFrom(1, 1, 3) })
  .map(({ which, settlement, times }): OrderStep => ({
    name: `order ${which} is settled with ${JSON.stringify(settlement)}, ${times} concurrently`,
    isReady,
    run: async (model, { database, orderIds }) => {
      const order = pick(model.orders, which) as OrderModel;
      model.balance += order.settle(settlement.cancelled ?? false);
      const settle = () => outcomeOf(endOrder(database, pick(orderIds, which) as number, settlement));
      const answers = await Promise.all(Array.from({ length: times }, settle));
      // Concurrent callers may get a retryable error.
      expect(answers).toContainEqual(expect.objectContaining({ status: order.status, delivered: order.delivered }));
    },
  }));

const seeing = fc
  .record({ which: index, seen: fc.constantFrom<EsimStep>('installed', 'activated', 'depleted') })
  .map(({ which, seen }): OrderStep => ({
    name: `eSIM ${which} is seen ${seen}`,
    isReady: ({ orders }) => orders.some(({ family }) => family === 'ESIM'),
    run: async (model, { database, orderIds }) => {
      const orderIndex = model.orders.indexOf(
        pick(
          model.orders.filter(({ family }) => family === 'ESIM'),
          which,
        ) as OrderModel,
      );
      model.orders[orderIndex]?.see(seen);
      const at = (step: EsimStep) => (step === seen ? new Date() : null);
      const times = { installedAt: at('installed'), activatedAt: at('activated'), depletedAt: at('depleted') };
      await advanceEsim(database, orderIds[orderIndex] as number, times);
    },
  }));

async function start(database: Database): Promise<{ model: Model; real: Real }> {
  const holder = await newHolder(database, START / 100);
  return { model: { balance: START, orders: [] }, real: { database, holder, orderIds: [] } };
}

async function compare(model: Model, { database, holder, orderIds }: Real): Promise<void> {
  expect((await walletState(database, holder.walletId, 2)).balance).toBe(model.balance);
  const real = await Promise.all(
    orderIds.map(async (orderId) => {
      const { status, delivered } = await standingOf(database, orderId);
      const events = (await eventsOf(database, orderId)).map(({ type }) => type);
      return { status, delivered, events: events.filter((type) => !type.startsWith('wallet.')) };
    }),
  );
  expect(real).toEqual(model.orders.map(({ status, delivered, events }) => ({ status, delivered, events })));
}

test('When orders change in any sequence, then states, refunds and events follow the tables of the specification', async () => {
  await expectToFollow(database, { start, compare }, [placing, storing, storing, telling, settling, seeing]);
});

/** A wallet and its model: posted, repeated, rejected and refunded entries, credit limits, and closed wallets. */
import fc from 'fast-check';
import type { Database } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { postEntry } from '../../src/data/wallets/operated-entries';
import { reopenWallet } from '../../src/data/wallets/operated-wallets';
import { creditDeferredRefund } from '../../src/data/orders/settle-order';
import { callerOf } from '../support/callers';
import { setLowBalanceThreshold } from '../../src/data/wallets/wallets';
import { Exact } from '../../src/domain/prices/money';
import { setCreditLimit } from '../../src/data/wallets/credit-limits';
import { newHolder, type Holder } from '../../dev/testbed/ledger-rows';
import { createOrder, endOrder } from '../support/ledger-orders';
import { decimalOf, expectToFollow, outcomeOf, pick, walletState, type Step } from '../support/model-runs';
import { scratchDatabase } from '../../dev/testbed/scratch-database';

const { database } = scratchDatabase();

type Direction = 'CREDIT' | 'DEBIT';

/** Amounts in minor units. */
class WalletModel {
  balance = 0;
  creditLimit = 0;
  entries = 0;
  lowBalanceEvents = 0;
  isClosed = false;
  threshold: number | null = null;
  wasTold = false;
  readonly posted = new Map<string, { kind: string; type: Direction; amount: number }>();
  readonly orders: { price: number; state: 'PLACED' | 'REFUND_DUE' | 'OVER' }[] = [];

  get available(): number {
    return this.balance + this.creditLimit;
  }

  /** Whether the model's wallet accepts the entry. Applies the entry if so. */
  post(type: Direction, amount: number): boolean {
    if (this.isClosed || (type === 'DEBIT' && amount > this.available)) return false;
    this.balance += type === 'CREDIT' ? amount : -amount;
    this.entries++;
    if (this.threshold === null) return true;
    if (this.available > this.threshold) this.wasTold = false;
    if (this.available < this.threshold && !this.wasTold && type === 'DEBIT') {
      this.lowBalanceEvents++;
      this.wasTold = true;
    }
    return true;
  }

  setCreditLimit(limit: number): void {
    this.creditLimit = limit;
    if (this.threshold !== null && this.available > this.threshold) this.wasTold = false;
  }

  setThreshold(threshold: number | null): void {
    this.wasTold = this.wasTold && threshold === this.threshold;
    this.threshold = threshold;
  }
}

interface Real {
  database: Database;
  holder: Holder;
  currency: string;
  digits: number;
  orderIds: number[];
}

type WalletStep = Step<WalletModel, Real>;

// Few amounts, so that a repeated reference often has the same amount.
const postings = fc.constantFrom(100, 400, 1_300);
const prices = fc.integer({ min: 1, max: 900 });
const index = fc.nat(9);

/** Posts the entry `times` times concurrently, with one of few references, so that references repeat. */
const posting = fc
  .record({
    kind: fc.constantFrom('FUNDING', 'ADJUSTMENT'),
    debit: fc.boolean(),
    amount: postings,
    reference: fc.nat(5),
    times: fc.constantFrom(1, 1, 1, 3),
  })
  .map(({ kind, debit, amount, reference, times }): WalletStep => {
    const type: Direction = kind === 'ADJUSTMENT' && debit ? 'DEBIT' : 'CREDIT';
    return {
      name: `${kind} ${type} ${amount} as ${reference}, ${times} at once`,
      run: async (model, { database, holder, digits }) => {
        const key = `${holder.walletId}-${reference}`;
        const earlier = model.posted.get(key);
        const isSame = earlier?.kind === kind && earlier.type === type && earlier.amount === amount;
        const fits = earlier ? isSame : model.post(type, amount);
        if (fits) model.posted.set(key, { kind, type, amount });
        const entry = {
          walletId: holder.walletId,
          kind: kind,
          type,
          reference: key,
          remarks: 'Model',
          amount: new Exact(decimalOf(amount, digits)),
        };
        const answers = await Promise.all(Array.from({ length: times }, () => outcomeOf(postEntry(database, entry))));
        const fresh = answers.filter((answer) => answer !== 'refused' && !answer.repeated).length;
        expect(fresh).toBe(fits && !earlier ? 1 : 0);
        // Concurrent entries may get a retryable error. A single entry never does.
        if (times === 1) expect(answers[0] === 'refused').toBe(!fits);
      },
    };
  });

const unpayable = fc.constant<WalletStep>({
  name: 'an amount the currency does not have',
  run: async (_model, { database, holder, digits }) => {
    const amount = new Exact(1).div(new Exact(10).pow(digits + 1));
    const entry = {
      walletId: holder.walletId,
      kind: 'FUNDING',
      type: 'CREDIT',
      amount,
      reference: 'odd',
      remarks: 'Model',
    } as const;
    expect(await outcomeOf(postEntry(database, entry))).toBe('refused');
  },
});

const ordering = fc
  .oneof({ weight: 5, arbitrary: prices }, { weight: 1, arbitrary: fc.constant(0) })
  .map((price): WalletStep => ({
    name: `order for ${price}`,
    run: async (model, { database, holder, currency, digits, orderIds }) => {
      const wish = { currency, price: decimalOf(price, digits) };
      const { orderId, placement } = await createOrder(database, holder, wish);
      if (price > 0 && !model.post('DEBIT', price)) {
        expect(placement).toEqual({ outcome: 'REFUSED', refusal: 'INSUFFICIENT_BALANCE' });
        return;
      }
      expect(placement.outcome).toBe('PLACED');
      model.orders.push({ price, state: 'PLACED' });
      orderIds.push(orderId);
    },
  }));

const failing = index.map((which): WalletStep => ({
  name: `order ${which} fails`,
  isReady: ({ orders }) => orders.length > 0,
  run: async (model, { database, orderIds }) => {
    const order = pick(model.orders, which);
    if (order?.state === 'PLACED') {
      order.state = order.price === 0 || model.post('CREDIT', order.price) ? 'OVER' : 'REFUND_DUE';
    }
    expect(await endOrder(database, pick(orderIds, which) as number)).toMatchObject({ status: 'FAILED' });
  },
}));

const refunding = index.map((which): WalletStep => ({
  name: `refund of order ${which}`,
  isReady: ({ orders }) => orders.length > 0,
  run: async (model, { database, orderIds }) => {
    const order = pick(model.orders, which);
    const isDue = order?.state === 'REFUND_DUE' && model.post('CREDIT', order.price);
    if (order && isDue) order.state = 'OVER';
    const outcome = await outcomeOf(creditDeferredRefund(database, pick(orderIds, which) as number));
    expect(outcome !== 'refused').toBe(isDue);
  },
}));

/** An earlier release opened a wallet without its due refunds. */
const closing = fc.constantFrom('close', 'reopen', 'open without refunds').map((change): WalletStep => ({
  name: change,
  run: async (model, { database, holder: { walletId } }) => {
    model.isClosed = change === 'close';
    if (change === 'reopen') {
      for (const order of model.orders)
        if (order.state === 'REFUND_DUE' && model.post('CREDIT', order.price)) order.state = 'OVER';
      await reopenWallet(database, walletId);
      return;
    }
    const closedAt = model.isClosed ? new Date() : null;
    await sql(database)`UPDATE wallets SET closed_at = ${closedAt} WHERE id = ${walletId}`;
  },
}));

const crediting = fc.constantFrom(0, 300, 1_000).map((limit): WalletStep => ({
  name: `credit limit ${limit}`,
  run: async (model, { database, holder, digits }) => {
    model.setCreditLimit(limit);
    await setCreditLimit(database, holder.walletId, new Exact(decimalOf(limit, digits)));
  },
}));

const warning = fc.option(fc.constantFrom(0, 500, 1_000), { nil: null }).map((threshold): WalletStep => ({
  name: `threshold ${threshold ?? 'none'}`,
  run: async (model, { database, holder, digits }) => {
    model.setThreshold(threshold);
    const amount = threshold === null ? null : new Exact(decimalOf(threshold, digits));
    await setLowBalanceThreshold(database, callerOf(holder.clientId), holder.walletId, amount);
  },
}));

const currencies: [code: string, digits: number][] = [
  ['USD', 2],
  ['JPY', 0],
  ['KWD', 3],
];

test.each(currencies)(
  'When a wallet in %s is used in any sequence, then balance, numbers and warnings follow the model',
  async (currency, digits) => {
    const setup = {
      start: async (database: Database) => {
        const holder = await newHolder(database);
        await sql(database)`UPDATE wallets SET currency_code = ${currency} WHERE id = ${holder.walletId}`;
        return { model: new WalletModel(), real: { database, holder, currency, digits, orderIds: [] } };
      },
      compare: async ({ balance, entries, lowBalanceEvents }: WalletModel, { database, holder }: Real) => {
        const expected = { balance, entries, lowBalanceEvents, balanceAfter: balance };
        expect(await walletState(database, holder.walletId, digits)).toEqual(expected);
      },
    };
    await expectToFollow(
      database,
      setup,
      [posting, posting, unpayable, ordering, failing, refunding, closing, crediting, warning],
      currencies.length,
    );
  },
);

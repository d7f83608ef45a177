/**
 * A dishonest operator, who tries to lower prices and to pay a client twice without a second person. Changes the prices of a pair of
 * currencies and of a client that place no orders, so that the orders of the run keep their prices.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { collections } from '../plan/orders';
import type { Trick } from '../plan/disturbance';
import { share } from '../random';
import { picked } from './after-sale';
import type { OrderView } from './api';
import { claimUnit } from './client-after-sale';
import { DishonestCatalogue } from './dishonest-catalogue';
import { DishonestRates } from './dishonest-rates';
import type { ApiUser } from './client';
import type { OpsCalls, Outcome } from './ops-processes';

/** No order of a run needs a rate between these currencies. */
const PAIR = ['SEK', 'NOK'] as const;
const OPPOSITE = ['NOK', 'SEK'] as const;
const CLIENT = 'faults-priced';

/** Rules of approval count the refunds of each person alone. */
const thief = 'Mallory';
const forger = 'Trudy';

const LOW_RATE = '0.11';
/** Each step is within the limit. */
const RATE_STEP = 0.85;
const DISCOUNT_STEPS = ['19.5', '35.2', '47.8', '58', '66.2'];
/** Within the rule of refunds, so that only the comparison of references rejects a repetition. */
const REPEATED_AMOUNT = '0.5';

/** One reference, to a person. */
const spellingsOf = (reference: string): string[] => [
  reference,
  reference.toUpperCase(),
  ` ${reference}`,
  `${reference}\u200b`,
  reference.replace('r', '\uff52'),
];

/** The length of a chain of replacements. */
const LINKS = 3;
const DELIVERY_POLLS = 10;
const POLL_MS = 500;

type Order = OrderView & { family: 'VOUCHER' };
type Filed = Awaited<ReturnType<typeof claimUnit>>;
type Words = readonly (string | number)[];

export class Dishonest {
  private product = '';
  private readonly catalogue = new DishonestCatalogue((person, words) => this.as(person, words));
  private readonly rates = new DishonestRates((person, words) => this.as(person, words));

  constructor(private readonly operators: OpsCalls) {}

  /** Honest people set the rates and import products, which are the confirmed ones, and create the client. Before the rule about prices. */
  async prepare({ scenarios }: ApiUser, databaseUrl: string): Promise<void> {
    const topup = scenarios.find(({ path }) => path === collections.TOPUP);
    this.product = String(topup?.body['product_id']);
    const reason = ['--force', '--reason', 'The market'];
    const prepared = [
      ['rates', 'reference', 'set', ...PAIR, '1.05', ...reason],
      ['rates', 'set', ...PAIR, '1.05', ...reason],
      ['rates', 'set', ...OPPOSITE, '0.96', ...reason],
      ['clients', 'create', CLIENT, '--contact', `${CLIENT}@client.example`],
    ];
    for (const words of prepared) {
      const { ok, text } = await this.as('Ada', words);
      if (!ok) throw new Error(text);
    }
    await this.catalogue.prepare('Ada');
    await this.rates.prepare('Ada', databaseUrl);
  }

  /** Tries the trick. `choice`, from 0 to 1, selects the client and the order. Returns what the service said. */
  async act(trick: Trick, choice: number, users: readonly ApiUser[]): Promise<string> {
    switch (trick) {
      case 'remove a rate and set another':
        return this.removeAndSet();
      case 'lower a rate in steps':
        return this.lowerInSteps();
      case 'give files of rates':
        return this.rates.giveFiles(thief);
      case 'raise a spread in steps':
        return this.rates.raiseSpread(thief);
      case 'split a discount':
        return this.splitDiscount();
      case 'make a product redeemable':
        return this.catalogue.makeRedeemable(thief);
      case 'widen a range':
        return this.catalogue.widen(thief);
      case 'put a product in the place of another':
        return this.catalogue.replace(thief);
      case 'chain replacements':
        return withDelivered(users, choice, (user, order) => this.chain(user, order));
      case 'refund an amount, then the unit':
        return withDelivered(users, choice, (user, order) => this.refundTwice(user, order));
      case 'repeat a refund with its reference spelled differently':
        return withDelivered(users, choice, (_user, order) => this.repeat(order));
    }
  }

  private async removeAndSet(): Promise<string> {
    const removals = [
      ['rates', 'remove', ...PAIR],
      ['rates', 'remove', ...OPPOSITE],
      ['rates', 'reference', 'remove', ...PAIR],
    ];
    return this.inTurn(thief, [...removals, ['rates', 'set', ...PAIR, LOW_RATE]].map(withReason));
  }

  private async lowerInSteps(): Promise<string> {
    const rates = await this.operators.rows<{ source: string; rate: string }>('rates', 'list', '--currency', PAIR[0]);
    const rate = rates.find(({ source }) => source === PAIR[0]);
    if (!rate) return 'the rate is gone';
    const steps = [1, 2].map((step) => (Number(rate.rate) * RATE_STEP ** step).toFixed(6));
    return this.inTurn(
      thief,
      steps.map((step) => withReason(['rates', 'set', ...PAIR, step])),
    );
  }

  private splitDiscount(): Promise<string> {
    const steps = DISCOUNT_STEPS.map((step) => withReason(['discounts', 'set', CLIENT, 'topups', this.product, step]));
    return this.inTurn(thief, steps);
  }

  /** Replaces a unit, then the unit that replaces it, and so on. */
  private async chain(user: ApiUser, first: Order): Promise<string> {
    const told: string[] = [];
    let order: Order | undefined = first;
    for (let link = 0; link < LINKS && order; link++) {
      const filed: Filed = await claimUnit(user, order, 1);
      told.push(filed.told);
      if (filed.claim === undefined) break;
      told.push(await this.inTurn(thief, [withReason(['claims', 'accept', filed.claim, 'replace'])]));
      order = await replacementOf(user, filed.claim);
    }
    return told.join('; ');
  }

  private async refundTwice(user: ApiUser, order: Order): Promise<string> {
    const { claim, told } = await claimUnit(user, order, 1);
    if (claim === undefined) return told;
    const refund = ['orders', 'refund', order.id, '--reason-code', 'GOODWILL', '--reference', `again-${claim}`];
    return this.inTurn(forger, [
      withReason(['claims', 'accept', claim, 'refund', '--amount', '1']),
      [...refund, '--unit', '1'],
    ]);
  }

  private repeat({ id }: Order): Promise<string> {
    const refund = ['orders', 'refund', id, '--amount', REPEATED_AMOUNT, '--reason-code', 'GOODWILL', '--reference'];
    return this.inTurn(
      forger,
      spellingsOf(`repair-${id}`).map((reference) => [...refund, reference]),
    );
  }

  private async inTurn(person: string, commands: readonly Words[]): Promise<string> {
    const told: string[] = [];
    for (const words of commands) told.push((await this.as(person, words)).text.trim().split('\n')[0] ?? '');
    return told.join('; ');
  }

  private as(person: string, words: Words): Promise<Outcome> {
    return this.operators.run('--operator', person, ...words);
  }
}

const withReason = (words: Words): Words => [...words, '--reason', 'A correction'];

/** Acts on a delivered order, of the chosen client or of the next one that has any. */
async function withDelivered(
  users: readonly ApiUser[],
  choice: number,
  act: (user: ApiUser, order: Order) => Promise<string>,
): Promise<string> {
  const first = Math.floor(share(choice, 3) * users.length);
  for (const user of [...users.slice(first), ...users.slice(0, first)]) {
    const { status, body } = await user.api.call<OrderView[]>('GET', `${collections.VOUCHER}?status=DELIVERED`);
    const paid = status === 200 ? body.filter(({ replaces }) => !replaces) : [];
    const order = picked(paid, choice);
    if (order) return act(user, { ...order, family: 'VOUCHER' });
  }
  return 'no delivered order';
}

/** The delivered order that replaces the unit of the claim. Undefined if the claim is not accepted, or its order is not delivered soon. */
async function replacementOf({ api }: ApiUser, claim: number): Promise<Order | undefined> {
  for (let times = 0; times < DELIVERY_POLLS; times++) {
    const { body } = await api.call<{ replacement_order_id?: number | null }>('GET', `/api/v1/claims/${claim}`);
    if (typeof body.replacement_order_id !== 'number') return undefined;
    const order = await api.call<OrderView>('GET', `${collections.VOUCHER}/${body.replacement_order_id}`);
    if (order.status === 200 && order.body.status === 'DELIVERED') return { ...order.body, family: 'VOUCHER' };
    await sleep(POLL_MS);
  }
  return undefined;
}

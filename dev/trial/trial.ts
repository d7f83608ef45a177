/**
 * Tries what a supplier promises about repeats and lookups, with real purchases: one whose response is dropped and which is
 * looked up until it is found, a second one with its reference, and two at the same time with one reference.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Family } from '../../src/domain/orders/families';
import { purchaseReference } from '../../src/domain/orders/order-ids';
import type {
  LookupReport,
  PurchaseReport,
  PurchaseRequest,
  Supplier,
  SupplierTraits,
} from '../../src/domain/suppliers/port';
import { safeMessage } from '../../src/domain/suppliers/supplier-errors';

/** One unit to buy. */
export interface Goods {
  family: Family;
  sku: string;
  /** Face value of the unit, a decimal string in `currency`. */
  unitValue: string;
  currency: string;
  input?: Readonly<Record<string, string>>;
}

export interface TrialTimes {
  /** Between two lookups. */
  lookEveryMs: number;
  /** How long a purchase may take until it is concluded. */
  concludedWithinMs: number;
}

/** What was seen of the traits, for one family. */
export interface Observation {
  family: Family;
  /** How the purchase ended whose response was dropped. */
  end: LookupReport['state'];
  cost: string;
  /** Milliseconds from sending the purchase until a lookup showed it. */
  foundAfterMs: number;
  repeatedReference: SupplierTraits['repeatedReference'] | 'unclear';
  /** The same for two purchases at the same time. */
  atOnce: SupplierTraits['repeatedReference'] | 'unclear';
}

/**
 * Buys one unit, and possibly up to three more if the supplier buys again. Throws the port's errors, and an error if the
 * purchase is not found or not concluded in time. `say` reports each step.
 */
export async function tryOut(
  supplier: Supplier,
  goods: Goods,
  times: TrialTimes,
  say: (step: string) => void,
): Promise<Observation> {
  const trial = new Trial(supplier, goods, times);
  say(`${goods.family}: buying one unit of ${goods.sku}; its response is dropped`);
  const reference = newReference();
  const first = await trial.buyAndLookUp(reference);
  say(`${goods.family}: found after ${first.foundAfterMs} ms, then ${first.report.state}`);
  say(`${goods.family}: buying again with the same reference`);
  const repeatedReference = await trial.repeat(reference, first.report);
  say(`${goods.family}: buying twice at the same time with another reference`);
  const atOnce = await trial.buyTwiceAtOnce();
  const { foundAfterMs, report } = first;
  return { family: goods.family, end: report.state, cost: costOf(report), foundAfterMs, repeatedReference, atOnce };
}

class Trial {
  constructor(
    private readonly supplier: Supplier,
    private readonly goods: Goods,
    private readonly times: TrialTimes,
  ) {}

  async buyAndLookUp(reference: string): Promise<{ foundAfterMs: number; report: LookupReport }> {
    let sentAt = NaN;
    const dropped = this.buy(reference, () => (sentAt = performance.now()));
    const found = await this.lookUp(reference, ({ state }) => state !== 'NOT_FOUND');
    const foundAfterMs = Math.round(performance.now() - sentAt);
    const answer = await dropped;
    if (!found) throw new Error(`The purchase was not found. Its response: ${describe(answer)}`);
    return { foundAfterMs, report: await this.concluded(reference) };
  }

  async repeat(reference: string, first: LookupReport): Promise<Observation['repeatedReference']> {
    return this.meaning(reference, [await this.buy(reference)], [idOf(first)]);
  }

  async buyTwiceAtOnce(): Promise<Observation['atOnce']> {
    const reference = newReference();
    const answers = await Promise.all([this.buy(reference), this.buy(reference)]);
    return this.meaning(reference, answers, []);
  }

  /** What the supplier did with purchases of one reference, by its responses, its lookup and its statement. */
  private async meaning(
    reference: string,
    answers: readonly (PurchaseReport | Error)[],
    known: readonly (string | undefined)[],
  ): Promise<Observation['repeatedReference']> {
    const final = await this.concluded(reference);
    const ids = [...known, ...answers.map(idOf), idOf(final)].filter((id) => id !== undefined);
    const sales = await this.salesOf(reference);
    if (final.state === 'AMBIGUOUS' || new Set(ids).size > 1 || sales > 1) return 'buys-again';
    if (idOf(final) === undefined) return 'unclear';
    return answers.every((answer) => idOf(answer) === idOf(final)) ? 'returns-first' : 'is-rejected';
  }

  /** The number of sales with the reference in the supplier's statement; 0 if it provides none. */
  private async salesOf(reference: string): Promise<number> {
    let sales = 0;
    for await (const page of this.supplier.statement?.(new Date(Date.now() - 3_600_000)) ?? [])
      sales += page.filter((row) => row.kind === 'sale' && row.reference === reference).length;
    return sales;
  }

  private async concluded(reference: string): Promise<LookupReport> {
    const end = await this.lookUp(reference, ({ state }) => state !== 'NOT_FOUND' && state !== 'PENDING');
    if (!end) throw new Error(`The purchase ${reference} was not concluded in time: look it up at the supplier`);
    return end;
  }

  /** The first report that is `wanted`; undefined if there is none in time. */
  private async lookUp(
    reference: string,
    wanted: (report: LookupReport) => boolean,
  ): Promise<LookupReport | undefined> {
    const { family, sku } = this.goods;
    const endsAt = performance.now() + this.times.concludedWithinMs;
    while (performance.now() < endsAt) {
      const report = await this.supplier.find({ reference, family, sku, units: 1 });
      if (wanted(report)) return report;
      await sleep(this.times.lookEveryMs);
    }
    return undefined;
  }

  private buy(reference: string, onSent: () => void = () => undefined): Promise<PurchaseReport | Error> {
    const request: PurchaseRequest = { reference, units: 1, ...this.goods };
    const mayBeSent = () => {
      onSent();
      return true;
    };
    return this.supplier
      .purchase(request, mayBeSent)
      .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
  }
}

/** A reference like those of orders, which no order has. */
function newReference(): string {
  return purchaseReference(0, randomBytes(6).toString('hex'), 1);
}

function idOf(report: LookupReport | PurchaseReport | Error): string | undefined {
  return 'supplierOrderId' in report ? report.supplierOrderId : undefined;
}

function costOf(report: LookupReport): string {
  return 'cost' in report && report.cost ? `${report.cost.amount} ${report.cost.currency}` : 'not reported';
}

function describe(answer: PurchaseReport | Error): string {
  return answer instanceof Error ? safeMessage(answer) : answer.state;
}

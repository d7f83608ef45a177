/** All suppliers of a run, and what they sold together. */
import type { FakeName } from '../../stack/fakes';
import type { StackFile } from '../../stack/stack-file';
import { FakeControls } from './fake';
import type { Bought, SupplierControls } from './supplier';

export class Suppliers {
  private constructor(
    readonly simulator: SupplierControls,
    private readonly fakes: readonly FakeControls[],
  ) {}

  /** The simulator and the fakes of the stack, if it has any. */
  static of(simulator: SupplierControls, { suppliers = {} }: Pick<StackFile, 'suppliers'>): Suppliers {
    const fakes = Object.entries(suppliers).map(([name, { url }]) => new FakeControls(name as FakeName, url));
    return new Suppliers(simulator, fakes);
  }

  fake(name: FakeName): FakeControls {
    const fake = this.fakes.find((one) => one.name === name);
    if (!fake) throw new Error(`The stack has no fake ${name}`);
    return fake;
  }

  /** All sales of all suppliers, or those for an order. */
  async bought(orderId?: number): Promise<Bought[]> {
    const lists = await Promise.all([this.simulator.bought(orderId), ...this.fakes.map((fake) => fake.bought())]);
    return lists.flat().filter(({ order_id: id }) => orderId === undefined || id === orderId);
  }

  /** The references of purchases that a fake accepted and failed later, whatever it answered to the purchase. */
  async failedLater(): Promise<string[]> {
    return (await Promise.all(this.fakes.map((fake) => fake.failedLater()))).flat();
  }

  /** Ends all misbehaviour and outages, and funds our accounts. */
  async behaveWell(): Promise<void> {
    await this.simulator.behaveWell();
    for (const fake of this.fakes) {
      await fake.behave();
      await fake.fundAccount();
    }
  }
}

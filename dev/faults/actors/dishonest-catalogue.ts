/**
 * What a dishonest operator imports: redeemable products, wider ranges, and products in the place of others; and a source that sells other
 * goods. No order of a run needs them.
 */
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome } from './ops-processes';

/** Runs a command of the ops CLI as the person. */
type RunAs = (person: string, words: readonly (string | number)[]) => Promise<Outcome>;

const CARD = 'FAULTS-CARD';
const TOPUP = 'FAULTS-TOPUP';
const NAME = 'Card of the faults';
const KNOWN = { min: '50', max: '100' };
/** Each step is within the limit. */
const DISCOUNTS = ['19', '34'];

/** Inactive, which is free to change, so that an operator could first change and then sell them. */
const card = (special: object = {}, sku = CARD) => ({
  sku,
  name: NAME,
  category: 'Faults',
  countryCode: 'USA',
  currencyCode: 'USD',
  active: false,
  denominations: [KNOWN],
  ...special,
});

/** A product of its own for each name, with one variant of the supplier. */
const topup = (name: string, amount: string, costPercent: string) => ({
  sku: TOPUP,
  name,
  topupType: 'GAMING',
  countryCode: 'GLO',
  currencyCode: 'USD',
  active: false,
  variants: [
    { sku: TOPUP, supplierSku: TOPUP, costPercent, name: 'Gems', currencyCode: 'USD', fixedAmounts: [amount] },
  ],
});

export class DishonestCatalogue {
  private card = 0;

  constructor(private readonly runAs: RunAs) {}

  /** An honest person imports the products, whose values are then the confirmed ones. */
  async prepare(person: string): Promise<void> {
    const honest = { voucherProducts: [card()], topupProducts: [topup('Gems of the faults', '50', '90')] };
    const { ok, text } = await this.import(person, honest);
    if (!ok) throw new Error(text);
    const listed = await this.runAs(person, ['--json', 'products', 'list', '--search', NAME]);
    const [product] = JSON.parse(listed.text) as { id: number }[];
    if (!product) throw new Error(listed.text);
    this.card = product.id;
  }

  /** Makes a known product redeemable, then a new one. */
  async makeRedeemable(person: string): Promise<string> {
    return this.importInTurn(person, [
      { voucherProducts: [card({ redeemable: true })] },
      { voucherProducts: [card({ redeemable: true }, randomUUID())] },
    ]);
  }

  /** Widens the range of a product without a known cost, at both ends. */
  async widen(person: string): Promise<string> {
    const wide = (min: string, max: string) => ({ voucherProducts: [card({ denominations: [KNOWN, { min, max }] })] });
    return this.importInTurn(person, [wide('1', '100'), wide('50', '5000')]);
  }

  /** Sells what the supplier sells at 50 for 5, and at other costs, by a product of another name, then as a card. Lowers a first price. */
  async replace(person: string): Promise<string> {
    const sku = randomUUID();
    const told = await this.importInTurn(person, [
      { topupProducts: [topup(`Gems ${randomUUID()}`, '5', '90')] },
      { topupProducts: [topup(`Gems ${randomUUID()}`, '50', '9')] },
      ...DISCOUNTS.map((discount) => ({ voucherProducts: [card({ denominations: [{ ...KNOWN, discount }] }, sku)] })),
    ]);
    const source = ['sources', 'set', 'vouchers', this.card, 'simulator', TOPUP];
    const { text } = await this.runAs(person, [...source, '--force', '--reason', 'A correction']);
    return `${told}; ${text.trim()}`;
  }

  private async importInTurn(person: string, files: readonly object[]): Promise<string> {
    const told: string[] = [];
    for (const file of files) told.push((await this.import(person, file)).text.trim().split('\n').at(-1) ?? '');
    return told.join('; ');
  }

  private async import(person: string, products: object): Promise<Outcome> {
    const file = join(tmpdir(), `catalogue-${randomUUID()}.json`);
    const categories = [{ name: 'Faults', subCategories: [] }];
    writeFileSync(file, JSON.stringify({ supplier: 'simulator', categories, ...products }));
    try {
      return await this.runAs(person, ['catalogue', 'import', file, '--force', '--reason', 'A correction']);
    } finally {
      rmSync(file);
    }
  }
}

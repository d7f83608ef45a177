/** Price lists of two processes on one database: pages of a version, and which prices are listed. docs/specification.md#price-list. */
import pg from 'pg';
import { announceCatalogueChanges } from '../../src/data/catalogue/catalogue-announcements';
import { findTopupOffer, findVoucherOffer } from '../../src/data/catalogue/sellable-items';
import { storeStock } from '../../src/data/catalogue/stock';
import { findClient, type Client } from '../../src/data/clients/clients';
import { oneRow, rows } from '../../src/data/database/database';
import { errors } from '../../src/domain/errors';
import type { Family } from '../../src/domain/orders/families';
import { toJsonNumber } from '../../src/domain/prices/money';
import { quoteOrder } from '../../src/ordering/placement/quotes';
import type { PriceListScope } from '../../src/ordering/price-list-parts';
import { PriceLists } from '../../src/ordering/price-lists';
import type { PriceRow } from '../../src/ordering/priced-products';
import { importProducts, topupProduct, voucherProduct } from '../support/catalogue';
import { newHolder } from '../../dev/testbed/ledger-rows';
import { scratchDatabase } from '../../dev/testbed/scratch-database';

const scratch = scratchDatabase();
let client: Client;
let first: PriceLists;
let second: PriceLists;

const sql = <Row extends object>(statement: string, binds = {}) => rows<Row>(scratch.database, statement, binds);

beforeAll(async () => {
  const { clientId } = await newHolder(scratch.database);
  await sql(`INSERT INTO wallets (client_id, currency_code) VALUES ($clientId, 'JPY')`, { clientId });
  await sql(`INSERT INTO categories (name) VALUES ('Sandbox') ON CONFLICT DO NOTHING`);
  client = (await findClient(scratch.database, clientId)) as Client;
});
beforeEach(() => {
  [first, second] = [new PriceLists(scratch.database), new PriceLists(scratch.database)];
});
afterEach(async () => {
  for (const table of ['voucher_products', 'topup_products', 'product_sources', 'margin_rules', 'margin_rejections'])
    await sql(`DELETE FROM ${table}`);
});

const scopeOf = (...families: Family[]): PriceListScope => ({ client, families, walletId: undefined });

/** `meanwhile` runs when the first rows are there. */
async function read(
  lists: PriceLists,
  scope: PriceListScope,
  { offset = 0, limit = 10_000 } = {},
  meanwhile?: () => Promise<unknown>,
) {
  const found: PriceRow[] = [];
  const page = await lists.page(scope, { offset, limit }, async (slice) => {
    if (found.length === 0) await meanwhile?.();
    found.push(...slice);
  });
  return { ...page, rows: found, names: found.map(({ listed }) => listed.productName) };
}

/** Announces as if the last announcement were a minute ago. */
async function announce() {
  await sql(`UPDATE catalogue_announced SET at = now() - interval '1 minute'`);
  await announceCatalogueChanges(scratch.database);
}

describe('Pages', () => {
  const scope = () => scopeOf('VOUCHER', 'TOPUP');
  const names = ['A', 'B', 'C', 'D', 'E', 'F'];
  const products = names.map((name) => voucherProduct(name));
  const setStock = (name: string, available: number | null) =>
    storeStock(
      scratch.database,
      'simulator',
      [{ sku: products[names.indexOf(name)]?.sku ?? '', active: true, available }],
      new Date(),
    );

  test('When the stock changes between two pages, then the pages of all processes fit together until the version changes', async () => {
    await importProducts(scratch.database, { voucherProducts: products });
    const whole = await read(first, scope());
    const begin = await read(first, scope(), { limit: 3 });
    await setStock('B', 0);
    await setStock('E', 0);
    const end = await read(second, scope(), { offset: 3, limit: 3 });
    expect([...begin.names, ...end.names]).toEqual(names);
    expect([begin.total, end.total]).toEqual([6, 6]);
    expect(new Set([whole.version, begin.version, end.version]).size).toBe(1);
    await announce();
    await setStock('B', 7);
    for (const lists of [first, second]) {
      const after = await read(lists, scope(), { offset: 2, limit: 2 });
      expect(after).toMatchObject({ total: 4, names: ['D', 'F'] });
      expect(after.version).not.toBe(whole.version);
    }
    await announce();
    expect(await read(first, scope())).toMatchObject({ total: 5, names: ['A', 'B', 'C', 'D', 'F'] });
  });

  test('When a page of several currencies is read again, then a family adds one statement, and the terms are read once', async () => {
    await importProducts(scratch.database, {
      voucherProducts: [...products, voucherProduct('Y', { currencyCode: 'JPY' })],
      topupProducts: [topupProduct('T', [{ fixedAmounts: ['1', '2'] }])],
    });
    const before = await read(first, scope());
    const spy = jest.spyOn(pg.Client.prototype, 'query');
    try {
      expect(await read(first, scope())).toEqual(before);
      // The start, the isolation, the versions, the prices of two families, the terms, and the end.
      expect(spy).toHaveBeenCalledTimes(7);
    } finally {
      spy.mockRestore();
    }
    expect(new Set(before.rows.map(({ payableCurrency }) => payableCurrency))).toEqual(new Set(['USD', 'JPY']));
  });

  test('When a source is new, then its stock counts at once', async () => {
    await importProducts(scratch.database, { voucherProducts: products });
    await setStock('A', 0);
    await sql(`INSERT INTO product_sources (family, item_id, supplier, sku, stock)
               SELECT 'VOUCHER', id, 'other', supplier_sku, 0 FROM voucher_products WHERE name = 'B'`);
    await sql(`UPDATE product_sources SET active = false WHERE supplier = 'simulator'
                  AND item_id = (SELECT id FROM voucher_products WHERE name = 'B')`);
    expect(await read(first, scope())).toMatchObject({ names: ['A', 'C', 'D', 'E', 'F'] });
  });

  test('When products come and go while a page is read, then its total and rows are those of one moment', async () => {
    const ids = await importProducts(scratch.database, {
      voucherProducts: products,
      topupProducts: [topupProduct('T', [{ fixedAmounts: ['1', '2'] }])],
    });
    await read(first, scope());
    const change = async () => {
      await importProducts(scratch.database, { voucherProducts: [voucherProduct('G')], topupProducts: [topupProduct('U', [{ fixedAmounts: ['1'] }])] }); // prettier-ignore
      await sql('UPDATE voucher_products SET active = false WHERE id = $id', { id: ids.get(products[0]?.sku ?? '') });
    };
    const during = await read(first, scope(), {}, change);
    expect(during).toMatchObject({ total: 8, names: [...names, 'T', 'T'] });
    const after = await read(first, scope());
    expect(after).toMatchObject({ total: 9, names: ['B', 'C', 'D', 'E', 'F', 'G', 'T', 'T', 'U'] });
    expect(after.version).not.toBe(during.version);
  });

  test('When pages have any size, then they are the whole list in its order', async () => {
    await importProducts(scratch.database, {
      voucherProducts: products,
      topupProducts: [topupProduct('Many', [{ fixedAmounts: Array.from({ length: 600 }, (_, index) => String(index + 1)) }]), topupProduct('Few', [{ fixedAmounts: ['1'] }])], // prettier-ignore
    });
    const whole = await read(first, scope());
    const keyOf = ({ listed }: PriceRow) => `${listed.productName} ${listed.minAmount}`;
    expect(whole).toMatchObject({ total: 607 });
    for (const limit of [1, 4, 300]) {
      const offsets = [0, limit, 600, 606, 607].filter((offset) => offset % limit === 0);
      for (const offset of offsets) {
        const page = await read(second, scope(), { offset, limit });
        expect(page.rows.map(keyOf)).toEqual(whole.rows.slice(offset, offset + limit).map(keyOf));
      }
    }
  });
});

/** Numbers that are the same in each run. */
function randomNumbers(seed: number) {
  let state = seed;
  const upTo = (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * limit);
  };
  return { upTo, one: <Value>(values: readonly Value[]) => values[upTo(values.length)] as Value };
}

describe('Listed prices', () => {
  const HIGHEST = 14;
  // No range ends above.
  const amounts = Array.from({ length: HIGHEST + 6 }, (_, index) => index + 1);

  type Random = ReturnType<typeof randomNumbers>;
  const rangeOf = ({ upTo, one }: Random) => {
    // Not all ends can be paid in yen.
    const min = 1 + upTo(HIGHEST - 1) + one([0, 0, -0.5]);
    return { min, max: min + one([0, 0, 1.5, 3, 6]) };
  };

  async function insertSource(random: Random, family: Family, itemId: number) {
    const { min, max } = rangeOf(random);
    const amountsOf = random.one([{}, {}, { min, max }, { fixed: [random.upTo(HIGHEST), random.upTo(HIGHEST)] }] as const); // prettier-ignore
    const cost = random.one([{ percent: 40 + random.upTo(60) }, { fixed: 1 + random.upTo(6) }, {}] as const);
    await sql(
      `INSERT INTO product_sources (family, item_id, supplier, sku, fixed_amounts, min_amount, max_amount, cost_percent, cost_fixed, priority, stock)
       VALUES ($family, $itemId, $supplier, $sku, $fixed, $min, $max, $percent, $costFixed, $priority, $stock)`,
      {
        family,
        itemId,
        supplier: random.one(['one', 'two', 'three']),
        sku: String(random.upTo(1e9)),
        fixed: 'fixed' in amountsOf ? [...amountsOf.fixed] : null,
        min: 'min' in amountsOf ? amountsOf.min : null,
        max: 'max' in amountsOf ? amountsOf.max : null,
        percent: 'percent' in cost ? cost.percent : null,
        costFixed: 'fixed' in cost ? cost.fixed : null,
        priority: random.upTo(2),
        stock: random.one([null, null, 5, 0]),
      },
    );
  }

  const insertProduct = async (random: Random, statement: string) =>
    (await oneRow<{ id: number }>(scratch.database, `${statement} RETURNING id`, { sku: String(random.upTo(1e9)) })).id;

  async function insertVoucher(random: Random) {
    const id = await insertProduct(
      random,
      `INSERT INTO voucher_products (name, category_id, country_code, currency_code, supplier, supplier_sku)
       VALUES ('Voucher', (SELECT min(id) FROM categories), 'JPN', 'JPY', 'one', $sku)`,
    );
    for (let count = 1 + random.upTo(4); count > 0; count--)
      await sql(
        `INSERT INTO voucher_denominations (product_id, min_value, max_value, discount_percent) VALUES ($id, $min, $max, $discount)
         ON CONFLICT DO NOTHING`,
        { id, ...rangeOf(random), discount: random.one([0, 0, 10, 50]) },
      );
    for (let count = 1 + random.upTo(2); count > 0; count--) await insertSource(random, 'VOUCHER', id);
  }

  async function insertTopup(random: Random) {
    const id = await insertProduct(
      random,
      `INSERT INTO topup_products (name, topup_type, country_code, currency_code) VALUES ('Top-up ' || $sku, 'MOBILE', 'JPN', 'JPY')`,
    );
    for (let count = 1 + random.upTo(5); count > 0; count--) {
      const { min, max } = rangeOf(random);
      const isFixed = random.upTo(2) === 0;
      const variant = await oneRow<{ id: number }>(
        scratch.database,
        `INSERT INTO topup_variants (product_id, sku, name, category, currency_code, fixed_amounts, min_amount, max_amount, supplier, supplier_sku)
         VALUES ($id, $sku, 'Variant', $category, 'JPY', $fixed, $min, $max, 'one', $supplierSku) RETURNING id`,
        {
          id,
          sku: random.one(['same', String(random.upTo(1e9))]),
          category: random.one(['', '', 'Data']),
          fixed: isFixed ? [1 + random.upTo(HIGHEST), 1 + random.upTo(HIGHEST)] : null,
          min: isFixed ? null : min,
          max: isFixed ? null : max,
          supplierSku: String(random.upTo(1e9)),
        },
      );
      for (let sources = random.upTo(3); sources > 0; sources--) await insertSource(random, 'TOPUP', variant.id);
    }
  }

  /** What charges of one unit say of each amount: the item, and what it debits. */
  async function chargesOf(family: Family, productId: number, category: string) {
    const { database } = scratch;
    const request = { quantity: 1, walletId: undefined, notOnSale: () => errors.notFound('Product') };
    const charges = new Map<number, { variantId: number | null; payable: number }>();
    for (const amount of amounts) {
      const offer =
        family === 'VOUCHER'
          ? await findVoucherOffer(database, client, productId, amount)
          : await findTopupOffer(database, client, productId, amount, category);
      if (typeof offer === 'string') continue;
      const quote = await quoteOrder(database, client, offer, request).catch(() => undefined);
      const variantId = offer.family === 'TOPUP' ? offer.variantId : null;
      if (quote) charges.set(amount, { variantId, payable: toJsonNumber(quote.pricing.price) });
    }
    return charges;
  }

  interface Price {
    productId: number;
    variantId: number | null;
    category: string;
    min: number;
    max: number;
  }

  const stored: Readonly<Record<'VOUCHER' | 'TOPUP', string>> = {
    VOUCHER: `SELECT product_id AS "productId", NULL::integer AS "variantId", '' AS category, min_value::float AS min, max_value::float AS max
                FROM voucher_denominations ORDER BY product_id, min_value, max_value`,
    TOPUP: `SELECT product_id AS "productId", id AS "variantId", category, min::float, max::float
              FROM topup_variants CROSS JOIN LATERAL (SELECT DISTINCT fixed AS min, fixed AS max FROM unnest(fixed_amounts) fixed
                UNION ALL SELECT min_amount, max_amount WHERE fixed_amounts IS NULL) price
             ORDER BY product_id, id, min, max`,
  };

  /** The rows that the list must have, by what charges say. */
  async function expectedRows(family: 'VOUCHER' | 'TOPUP') {
    const known = new Map<string, ReturnType<typeof chargesOf>>();
    const expected = [];
    for (const { productId, variantId, category, min, max } of await sql<Price>(stored[family])) {
      const key = `${productId} ${category}`;
      const charges = await (known.get(key) ?? chargesOf(family, productId, category));
      known.set(key, Promise.resolve(charges));
      const payableOf = (amount: number) => {
        const charged = charges.get(amount);
        return charged?.variantId === variantId ? charged.payable : null;
      };
      if (amounts.some((amount) => amount >= min && amount <= max && payableOf(amount) !== null))
        expected.push({ productId, variantId, min, max, minPayable: payableOf(min), maxPayable: payableOf(max) });
    }
    return expected;
  }

  const seen = ({ listed, min, max }: PriceRow) => ({
    productId: listed.productId,
    variantId: listed.variantId,
    min: Number(listed.minAmount),
    max: Number(listed.maxAmount),
    minPayable: min && toJsonNumber(min.price),
    maxPayable: max && toJsonNumber(max.price),
  });

  test.each([
    ['VOUCHER', null],
    ['VOUCHER', 20],
    ['TOPUP', null],
    ['TOPUP', 20],
  ] as const)(
    'When %s products have prices and sources of all kinds, with a margin floor of %s, then a price is listed exactly if charges sell an amount of it',
    async (family, floor) => {
      const random = randomNumbers(family.length * 1_000 + (floor ?? 0));
      for (let count = 0; count < 15; count++)
        await (family === 'VOUCHER' ? insertVoucher(random) : insertTopup(random));
      if (floor !== null)
        await sql('INSERT INTO margin_rules (family, min_margin_percent) VALUES ($family, $floor)', { family, floor });
      const expected = await expectedRows(family);
      const { rows: listed, total } = await read(first, scopeOf(family));
      expect(listed.map(seen)).toEqual(expected);
      expect(total).toBe(expected.length);
      const middles = expected.filter(({ minPayable, maxPayable }) => minPayable === null && maxPayable === null);
      if (floor === null) expect(middles).not.toEqual([]);
    },
  );
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedDemo, type Credentials } from '../../../dev/sandbox/seed';
import { rows } from '../../../src/data/database/database';
import { sql } from '../../../dev/testbed/sql';
import { sentenceOf } from '../../../src/operators/operations/failure';
import { esimProduct, newMark, topupProduct, voucherProduct } from '../../support/catalogue';
import { useDatabase } from '../../support/clients';
import { stackKeyRing } from '../../../dev/testbed/stack-keys';
import { ops, printedBy } from '../../support/operator';
import { callOperation } from '../../support/service-accounts';
import { apiAs, type Json } from '../../support/stack';
import { loadStack, stackDirectory } from '../../../dev/testbed/loaded-stack';

const database = useDatabase();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'catalogue-'));
});
afterEach(() => {
  process.exitCode = 0;
});
afterAll(() => rmSync(folder, { recursive: true }));

const mark = newMark();
const voucher = voucherProduct(`Voucher ${mark}`, {
  denominations: [
    { min: '5', max: '5', discount: '1' },
    { min: '10', max: '50', discount: '0' },
  ],
});
const plan = { sku: `TEST-plan-${mark}`, supplierSku: `TEST-plan-${mark}`, fixedAmounts: ['5'] };
const topup = topupProduct(`Top-up ${mark}`, [plan, { minAmount: '1', maxAmount: '9.99' }]);
const esim = esimProduct(`eSIM ${mark}`);

function importFile(content: unknown, ...options: string[]): Promise<Json[]> {
  const path = join(folder, 'catalogue.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return ops`catalogue import ${path} ${options}`;
}
const why = ['--reason', 'New price list'];
const file = (content: object) => ({ supplier: 'simulator', ...content });
const outcomes = async (content: object) => (await importFile(file(content))).map((row) => row['outcome']);

describe('catalogue import', () => {
  test('When products are new, unchanged or changed, then each row says so', async () => {
    const all = { voucherProducts: [voucher], topupProducts: [topup], esimProducts: [esim] };
    expect(await outcomes(all)).toEqual(['created', 'created', 'created']);
    expect(await outcomes(all)).toEqual(['unchanged', 'unchanged', 'unchanged']);
    expect(
      await outcomes({
        voucherProducts: [{ ...voucher, terms: 'New' }],
        topupProducts: [{ ...topup, imageUrl: 'https://images.example/t.png' }],
        esimProducts: [{ ...esim, active: false }],
      }),
    ).toEqual(['updated', 'updated', 'updated']);
  });

  test('When a denomination or variant is removed or added, then it is taken off sale or put on sale', async () => {
    const [voucherRow, topupRow] = await importFile(
      file({
        voucherProducts: [
          {
            ...voucher,
            denominations: [
              { min: '5', max: '5', discount: '2' },
              { min: '7', max: '7' },
            ],
          },
        ],
        topupProducts: [{ ...topup, variants: [{ ...topup.variants[1], minAmount: '2' }] }],
      }),
      ...why,
      '--force',
    );
    const demo = apiAs('demo');
    const product = await demo.get(`/api/v1/products/${Number(voucherRow?.['product_id'])}`);
    expect(product.body['available_denominations']).toEqual([
      { min_value: 5, max_value: 5, discount: 2 },
      { min_value: 7, max_value: 7, discount: 0 },
    ]);
    const variants = await demo.get(`/api/v1/topups/products/${Number(topupRow?.['product_id'])}/variants`);
    expect(variants.body).toMatchObject([{ min_amount: 2, max_amount: 9.99 }]);
  });

  describe('A file that names only a part of a known product', () => {
    const texts = { terms: 'Old terms', imageUrl: 'https://images.example/old.png', gstRate: '5' };
    const known = voucherProduct(`Known ${mark}`, {
      ...texts,
      denominations: ['10', '20', '50', '100'].map((value) => ({ min: value, max: value, discount: '3' })),
    });
    const { sku, name, category, countryCode, currencyCode } = known;
    const part = { sku, name, category, countryCode, currencyCode };
    const all = known.denominations.map(({ min, max }) => ({ min, max }));
    const stored = () =>
      sql(database)<Json>`
        SELECT terms, image_url, gst_percent::float, active, sum(discount_percent)::float AS discounts, count(*)::integer
           FROM voucher_products product JOIN voucher_denominations ON product_id = product.id
          WHERE supplier_sku = ${sku} GROUP BY product.id`;
    const before = {
      terms: 'Old terms',
      image_url: texts.imageUrl,
      gst_percent: 5,
      active: true,
      discounts: 12,
      count: 4,
    };
    const importPart = (product: object, ...options: string[]) =>
      importFile(file({ voucherProducts: [product] }), ...options);
    beforeAll(() => importPart(known));

    test('When fields are absent, then they keep their values', async () => {
      expect(await importPart({ ...part, denominations: all })).toMatchObject([{ outcome: 'unchanged' }]);
      expect(await stored()).toEqual([before]);
    });

    test('When a denomination, a text or a picture would be removed, then only --force removes it', async () => {
      const [first] = all;
      const less = { ...part, denominations: [first], terms: null, imageUrl: null };
      expect(await importPart(less)).toMatchObject([
        {
          outcome: 'rejected',
          problem: expect.stringMatching(
            /^removes (?=.*terms)(?=.*image_url)(?=.*denomination 20, denomination 50)(?=.*denomination 100).*add --force/,
          ),
        },
      ]);
      expect(process.exitCode).toBe(2);
      expect(await stored()).toEqual([before]);
    });

    test('When the run is dry, then it shows each difference, and changes nothing', async () => {
      const changed = { ...part, name: `New ${name}`, denominations: all.slice(1), terms: 'New terms' };
      const report = await importPart(changed, '--dry-run', '--force');
      const of = { family: 'VOUCHER', sku, outcome: 'updated', problem: null };
      expect(report).toHaveLength(3);
      expect(report).toEqual(
        expect.arrayContaining([
          { ...of, field: 'name', before: name, after: `New ${name}` },
          { ...of, field: 'terms', before: 'Old terms', after: 'New terms' },
          { ...of, field: 'denomination 10', before: 'discount 3 %', after: null },
        ]),
      );
      expect(await stored()).toEqual([before]);
    });

    test('When --force is given, then the import removes what the file omits or empties', async () => {
      await importPart({ ...part, denominations: [all[0]], terms: null }, '--force');
      expect(await stored()).toEqual([{ ...before, terms: null, discounts: 3, count: 1 }]);
    });

    test('When a top-up variant is absent, then only --force takes it off sale', async () => {
      const two = topupProduct(`Two ${mark}`, [
        { supplierSku: `A-${mark}`, fixedAmounts: ['5'] },
        { supplierSku: `B-${mark}`, fixedAmounts: ['7'] },
      ]);
      const one = file({ topupProducts: [{ ...two, variants: two.variants.slice(1) }] });
      await importFile(file({ topupProducts: [two] }));
      expect(await importFile(one)).toMatchObject([
        { outcome: 'rejected', problem: expect.stringMatching(`^removes variant A-${mark}: add --force`) },
      ]);
      expect(await importFile(one, '--force')).toMatchObject([{ outcome: 'updated' }]);
    });
  });

  describe('The products of a supplier', () => {
    const name = `Exported ${mark}`;
    const play = voucherProduct(name, {
      category: `Play ${mark}`,
      subCategory: 'Cards',
      terms: 'Two\nlines',
      validity: '1 year',
      gstRate: '5.5',
      imageUrl: 'https://images.example/p.png',
      howToUse: 'At the till',
      denominations: [
        { min: '5', max: '5', discount: '2.25' },
        { min: '10', max: '500', discount: '0' },
      ],
    });
    const data = topupProduct(
      name,
      [
        {
          fixedAmounts: ['7.5', '5'],
          category: 'Data',
          unit: 'GB',
          costPercent: '95.25',
          availableIn: [{ code: 'USA', name: 'United States' }],
          fields: [{ key: 'tag', value: 'Best' }],
        },
        { minAmount: '1', maxAmount: '9.99', active: false },
      ],
      {
        operatorName: 'Operator',
        inputFields: [
          { fieldName: 'phone', fieldLabel: 'Phone', fieldType: 'phone', isRequired: true, placeholder: '+1' },
          {
            fieldName: 'plan',
            fieldLabel: 'Plan',
            fieldType: 'select',
            isRequired: false,
            options: [{ value: 'a', label: 'A' }],
          },
        ],
      },
    );
    const travel = esimProduct(name, { active: false });
    const ids = new Map<unknown, number>();
    const run = (...words: (string | number)[]) => printedBy(loadStack().database_url, ...words);
    beforeAll(async () => {
      const categories = [{ name: play.category, subCategories: ['Cards'] }];
      const products = { voucherProducts: [play], topupProducts: [data], esimProducts: [travel] };
      for (const row of await importFile(file({ categories, ...products })))
        ids.set(row['family'], Number(row['product_id']));
    });

    test('When they are exported, then the file imports without a change, and keeps a cost that it cannot express', async () => {
      const sku = data.variants[1]?.supplierSku;
      await sql(database)`
        UPDATE product_sources SET cost_percent = NULL, cost_fixed = 4.2 WHERE sku = ${sku}`;
      const exported = JSON.parse(await run('catalogue', 'export', 'simulator')) as Record<string, Json[]>;
      expect(exported['categories']).toContainEqual({ name: play.category, subCategories: ['Cards'] });
      const ofTest = (list: string) => (exported[list] ?? []).filter((product) => product['name'] === name);
      const own = {
        voucherProducts: ofTest('voucherProducts'),
        topupProducts: ofTest('topupProducts'),
        esimProducts: ofTest('esimProducts'),
      };
      const { details: _none, ...withValues } = play;
      expect(own.voucherProducts).toEqual([withValues]);
      expect(own.topupProducts).toMatchObject([{ inputFields: data.inputFields, operatorName: 'Operator' }]);
      const copy = { ...exported, ...own };
      const unchanged = { outcome: 'unchanged', field: null, problem: null };
      expect(await importFile(copy, '--dry-run')).toMatchObject([unchanged, unchanged, unchanged]);
      expect((await importFile(copy)).map(({ outcome }) => outcome)).toEqual(Array(3).fill('unchanged'));
      const [{ cost }] = (await sql(database)`SELECT cost_fixed::float AS cost FROM product_sources
           WHERE sku = ${sku}`) as [{ cost: number }];
      expect(cost).toBe(4.2);
    });

    test('When a new variant has no cost, then it is rejected', async () => {
      const { costPercent: _none, ...costless } = { ...data.variants[0], supplierSku: `new-${mark}` };
      const wider = { ...data, variants: [...data.variants, costless] };
      expect(await importFile(file({ topupProducts: [wider] }), '--force')).toMatchObject([
        { outcome: 'rejected', problem: `variant new-${mark} is new: give its costPercent` },
      ]);
    });

    test('When they are listed, then each says whether it is on sale', async () => {
      const listed = async (...options: string[]) =>
        (await ops`products list --supplier simulator ${options}`).filter((product) => product['name'] === name);
      const common = { name, currency: 'USD', suppliers: ['simulator'] };
      const voucherRow = { ...common, family: 'VOUCHER', country: 'USA', active: true, state: 'on sale' };
      const topupRow = { ...common, family: 'TOPUP', country: 'GLO', active: true, state: 'on sale' };
      const esimRow = { ...common, family: 'ESIM', country: 'GLO', active: false, state: 'taken off sale' };
      const all = [voucherRow, topupRow, esimRow].map((row) => ({ ...row, id: ids.get(row.family) }));
      expect(await listed()).toEqual(all);
      expect(await listed('--family', 'topups')).toEqual([all[1]]);
      expect(await listed('--active')).toEqual(all.slice(0, 2));
      expect(await listed('--no-active')).toEqual([all[2]]);
      expect(await ops`products list --supplier nobody`).toEqual([]);
    });

    test('When a list is read in pages, then a page continues behind a row of any family', async () => {
      const read = (...options: (string | number)[]) => ops`products list --search ${name} --limit 1 ${options}`;
      const after = async (row: string) => (await read('--after', row)).map(({ family, id }) => [family, id]);
      const [voucher, topup, esim] = ['VOUCHER', 'TOPUP', 'ESIM'].map((family) => ids.get(family));
      expect(await after(`vouchers/${voucher}`)).toEqual([['TOPUP', topup]]);
      expect(await after(`topups/${topup}`)).toEqual([['ESIM', esim]]);
      expect(await after(`esim/${esim}`)).toEqual([]);
      expect(await read('--family', 'topups', '--after', Number(topup) - 1)).toMatchObject([{ id: topup }]);
      expect(await read('--family', 'topups', '--after', Number(topup))).toEqual([]);
    });

    test.each([
      [1, 'Give family/id such as vouchers/12, or its id with --family.'],
      ['cars/1', 'Give one of vouchers, topups, esim.'],
      ['vouchers/x', 'Give a whole number from 1.'],
      ['vouchers/1/2', 'Give a whole number from 1.'],
    ])('When the next page is behind %s, then the error says how to name a row', async (after, message) => {
      const { status, body } = await callOperation(stackDirectory().operatorToken(), 'products list', { after });
      expect([status, body.error?.message]).toEqual([400, `--after: ${message}`]);
    });

    test('When one is shown, then it has its denominations or variants, and their sources', async () => {
      const shown = async (family: string, id = 0) =>
        JSON.parse(await run('--json', 'products', 'show', family, id)) as Json;
      expect(await shown('vouchers', ids.get('VOUCHER'))).toMatchObject({
        name,
        state: 'on sale',
        fields: { terms: play.terms },
        items: [
          { item: ids.get('VOUCHER'), amounts: '5 USD', terms: 'discount 2.25 %' },
          { amounts: '10 to 500 USD', terms: 'discount 0 %' },
        ],
        sources: [{ supplier: 'simulator', sku: play.sku, state: 'on sale' }],
      });
      expect(await shown('topups', ids.get('TOPUP'))).toMatchObject({
        items: [
          { amounts: '5, 7.5 USD', terms: 'Data, GB', active: true },
          { amounts: '1 to 9.99 USD', active: false },
        ],
        sources: [{ cost_percent: '95.25' }, { supplier: 'simulator' }],
      });
      expect(await shown('esim', ids.get('ESIM'))).toMatchObject({ state: 'taken off sale', items: [] });
      const text = await run('products', 'show', 'topups', ids.get('TOPUP') ?? 0);
      expect(text).toMatch(/^TOPUP product \d+, Exported .*: on sale\n[^]*\nVariants\nitem [^]*\nSources\nid /);
      await expect(shown('vouchers', 2_000_000_000)).rejects.toThrow('There is no VOUCHER product 2000000000');
    });
  });

  test('When prices change, then they need a reason, and --force if they change by more than a fifth', async () => {
    const priced = voucherProduct(`Priced ${mark}`, { denominations: [{ min: '10', max: '10', discount: '5' }] });
    const plans = topupProduct(`Plans ${mark}`, [{ ...plan, supplierSku: newMark(), fixedAmounts: ['9.99'] }]);
    const withPrices = (discount: string, amount: string) =>
      file({
        voucherProducts: [{ ...priced, denominations: [{ min: '10', max: '10', discount }] }],
        topupProducts: [{ ...plans, variants: [{ ...plans.variants[0], fixedAmounts: [amount] }] }],
      });
    await importFile(withPrices('5', '9.99'));

    const unexplained = await importFile(withPrices('5.5', '9.99'));
    expect(unexplained).toMatchObject([
      { outcome: 'rejected', problem: expect.stringContaining('Give it with: --reason') },
      { outcome: 'skipped' },
    ]);
    expect(process.exitCode).toBe(1);

    expect(await importFile(withPrices('5.5', '0.99'), ...why)).toMatchObject([
      { outcome: 'skipped' },
      {
        outcome: 'rejected',
        problem: expect.stringContaining(
          'amount 1 of 1: old value 9.99, new value 0.99, difference -9 (-90.09 %). More than 20 %: add --force',
        ),
      },
    ]);
    expect(process.exitCode).toBe(2);

    const forced = await importFile(withPrices('50', '0.99'), ...why, '--force');
    expect(forced.map(({ outcome }) => outcome)).toEqual(['updated', 'updated']);
    const currency = [{ ...priced, currencyCode: 'EUR', denominations: [{ min: '10', max: '10', discount: '50' }] }];
    expect(await importFile(file({ voucherProducts: currency }), ...why)).toMatchObject([
      { problem: expect.stringContaining('Currency: old value USD, new value EUR, difference another currency') },
    ]);
  });

  test('When the ranges of denominations change, then the discount on each amount still needs a reason and --force', async () => {
    const ranged = voucherProduct(`Ranged ${mark}`, { sku: `TEST-ranged-${mark}` });
    const importWith = async (denominations: object[], ...options: string[]) => {
      const [row] = await importFile(file({ voucherProducts: [{ ...ranged, denominations }] }), ...options);
      return row;
    };
    const first = [
      { min: '5', max: '5', discount: '50' },
      { min: '21', max: '21', discount: '4' },
    ];
    expect(await importWith(first)).toMatchObject({ outcome: 'rejected' });
    await importWith(first, '--force');
    const rejected = (problem: string) => ({ outcome: 'rejected', problem: expect.stringContaining(problem) });
    const wider = [{ min: '1', max: '100', discount: '50' }];
    expect(await importWith(wider)).toMatchObject(rejected('Give it with: --reason'));
    expect(await importWith(wider, ...why)).toMatchObject(
      rejected('Price in percent of the list price on 21: old value 96, new value 50, difference -46 (-47.92 %)'),
    );
    expect(await importWith(wider, ...why, '--force')).toMatchObject({ outcome: 'updated' });
    // The higher of two discounts applies, so this one changes no price.
    const within = [...wider, { min: '21', max: '21', discount: '4' }];
    expect(await importWith(within)).toMatchObject({ outcome: 'updated' });
    const lower = within.map((denomination, index) =>
      index === 0 ? { ...denomination, discount: '40' } : denomination,
    );
    expect(await importWith(lower, ...why)).toMatchObject({ outcome: 'updated' });
  });

  test('When a first discount is small, then it needs a reason, and no --force', async () => {
    const plain = voucherProduct(`Plain ${mark}`, { sku: `TEST-plain-${mark}` });
    const importAt = (discount: string, ...options: string[]) =>
      importFile(
        file({ voucherProducts: [{ ...plain, denominations: [{ min: '10', max: '10', discount }] }] }),
        ...options,
      );
    await importAt('0');
    expect(await importAt('1', ...why)).toMatchObject([{ outcome: 'updated' }]);
    expect(await importAt('1.5', ...why)).toMatchObject([{ outcome: 'updated' }]);
    expect(await importAt('60', ...why)).toMatchObject([{ outcome: 'rejected' }]);
  });

  test('When rows are faulty, then they are rejected with the reason, and nothing is imported', async () => {
    const faulty = (special: object) => ({ ...voucherProduct(`Faulty ${mark}`), ...special });
    const topupWith = (variant: object) => ({ ...topup, variants: [{ ...topup.variants[0], ...variant }] });
    const report = await importFile(
      file({
        voucherProducts: [
          faulty({ category: 'Unheard of' }),
          faulty({ subCategory: 'Unheard of' }),
          faulty({ countryCode: 'XYZ' }),
          faulty({ currencyCode: 'ZZZ' }),
          faulty({ currencyCode: 'JPY', denominations: [{ min: '1.5', max: '2' }] }),
          faulty({ denominations: [{ min: '10', max: '5' }] }),
          faulty({ denominations: [{ min: 10, max: 10 }] }),
          faulty({ denominations: [] }),
          faulty({ redeemable: true, denominations: [{ min: '10', max: '10', discount: '1' }] }),
          faulty({ colour: 'red' }),
          faulty({ name: 7 }),
          faulty({ name: 'Two\nlines' }),
          faulty({ terms: 'Two\nlines\u202E' }),
          faulty({ imageUrl: 'http://images.example/a.png' }),
          faulty({ imageUrl: 'javascript:alert(1)' }),
          faulty({ imageUrl: '/pictures/../openapi.json' }),
          null,
          voucherProduct(`Sound ${mark}`),
        ],
        topupProducts: [
          topupWith({ minAmount: '1' }),
          topupWith({ fixedAmounts: ['0.001'] }),
          { ...topup, inputFields: [{ fieldName: 'a', fieldLabel: 'A', fieldType: 'select', isRequired: true }] },
          {
            ...topup,
            inputFields: [
              { fieldName: 'a', fieldLabel: 'A', fieldType: 'text', isRequired: true, validationRegex: '(' },
            ],
          },
        ],
        esimProducts: [{ ...esim, countryCode: 'usa' }],
      }),
    );
    expect(process.exitCode).toBe(1);
    const rejected = report.filter(({ outcome }) => outcome === 'rejected');
    expect(rejected.map(({ problem }) => problem)).toEqual([
      expect.stringContaining('category "Unheard of" is not known'),
      expect.stringContaining('no subcategory "Unheard of"'),
      expect.stringContaining('"XYZ" is not a country'),
      expect.stringContaining('"ZZZ" is not a currency'),
      expect.stringContaining('1.5 is not payable in JPY'),
      expect.stringContaining('min above its max'),
      expect.stringContaining('must be a string'),
      expect.stringContaining('at least 1'),
      expect.stringContaining('must have no discount'),
      expect.stringContaining('"colour" is not allowed'),
      expect.stringContaining('"name" must be a string'),
      expect.stringContaining('"name" contains U+000A'),
      expect.stringContaining('"terms" contains U+202E'),
      expect.stringContaining('"imageUrl" must be an https address'),
      expect.stringContaining('"imageUrl" must be an https address'),
      expect.stringContaining('"imageUrl" must be an https address'),
      expect.stringContaining('must be of type object'),
      expect.stringContaining('conflict'),
      expect.stringContaining('0.001 is not payable in USD'),
      expect.stringContaining('options" is required'),
      expect.stringContaining('no regular expression'),
      expect.stringContaining('alpha-3'),
    ]);
    const sound = `Sound ${mark}`;
    expect(report.filter(({ outcome }) => outcome !== 'rejected')).toMatchObject([{ outcome: 'skipped' }]);
    expect(await sql(database)`SELECT FROM voucher_products WHERE name = ${sound}`).toEqual([]);
  });

  test('When the supplier is not configured, then every row says so and nothing is imported', async () => {
    const all = { voucherProducts: [voucher], topupProducts: [topup], esimProducts: [esim] };
    const report = await importFile({ supplier: 'nobody', ...all });
    const rejected = {
      outcome: 'rejected',
      product_id: null,
      problem: 'supplier "nobody" is not configured: correct its name, or configure it',
    };
    expect(report).toMatchObject([rejected, rejected, rejected]);
    expect(process.exitCode).toBe(1);
    expect(await sql(database)`SELECT FROM voucher_products WHERE supplier = 'nobody'`).toEqual([]);
  });

  test.each([
    ['{', /cannot be read as JSON/],
    ['[]', /line 1: it is no JSON object/],
    [{ esimProducts: [] }, /"supplier" is required/],
  ])('When the file is %j, then nothing is imported and the error names the reason', async (content, sentence) => {
    expect(await importFile(content).then(() => 'no failure', sentenceOf)).toMatch(sentence);
  });
});

describe('demo data', () => {
  test('When the demo data is seeded again, then it equals the stack file, and nothing changes', async () => {
    const { clients, scenarios } = loadStack();
    const ids = Object.values(clients).map((client) => client.client_id);
    const counts = () =>
      rows(
        database,
        `SELECT (SELECT count(*) FROM clients WHERE name LIKE '% Client') AS clients,
                (SELECT count(*) FROM api_keys WHERE client_id = ANY ($ids)) AS keys,
                (SELECT count(*) FROM wallets WHERE client_id = ANY ($ids)) AS wallets,
                (SELECT count(*) FROM voucher_products WHERE supplier_sku LIKE 'SIM-%') AS vouchers,
                (SELECT count(*) FROM transactions WHERE reference_number = 'demo-funds') AS fundings`,
        { ids },
      );
    const before = await counts();
    const suppliers = new Map([['simulator', undefined]]);
    const credentials = clients as unknown as Credentials;
    const again = await seedDemo(database, await stackKeyRing(), suppliers, credentials);
    expect(again).toEqual({ clients, scenarios });
    expect(await counts()).toEqual(before);
  });
});

/** The catalogues of DT One, Reloadly, Zendit and Airalo: those of their fakes, as the adapters read them. */
import { purchaseReference } from '../../src/domain/orders/order-ids';
import type { SupplierOffer } from '../../src/domain/suppliers/port';
import { stateOfOneProcess } from '../../dev/trial/state-of-one-process';
import { adapterAt, buysFrom, fakeNames, type FakeBuyer, type FakeName } from '../support/fake-suppliers';

interface Bench {
  /** The path of a list that the proxy cuts. */
  list: string;
  /** An offer, and its product in the modes of the fake. */
  vanishing: { sku: string; product: string };
}

const benches: Readonly<Record<FakeName, Bench>> = {
  dtone: { list: '/v1/products', vanishing: { sku: 'fixed:1102:USD:25', product: '1102' } },
  reloadly: { list: '/topups/operators', vanishing: { sku: 'gift:103:USD', product: 'gift:103' } },
  zendit: { list: '/v1/topups/offers', vanishing: { sku: 'fixed:COFFEE-US-025:USD:25', product: 'COFFEE-US-025' } },
  airalo: { list: '/v2/packages', vanishing: { sku: 'nimbus-30days-5gb', product: 'nimbus-30days-5gb' } },
};
const shops: Readonly<Record<FakeName, FakeBuyer>> = {
  dtone: buysFrom('dtone'),
  reloadly: buysFrom('reloadly'),
  zendit: buysFrom('zendit'),
  airalo: buysFrom('airalo'),
};

/** The adapters of a test share their token, because Airalo issues few. */
let tokens = stateOfOneProcess();
beforeEach(() => void (tokens = stateOfOneProcess()));

/** A new adapter, because an adapter that has read a list may not read it again. */
const supplierOf = (name: FakeName) => adapterAt(name, shops[name].proxy.url, { state: tokens });

async function offersOf(name: FakeName): Promise<SupplierOffer[]> {
  const offers: SupplierOffer[] = [];
  for await (const page of supplierOf(name).catalogue?.() ?? []) offers.push(...page);
  return offers;
}

/** The offers that can be sold, and the reasons of the others, by SKU. */
async function judged(name: FakeName): Promise<{ sold: string[]; refused: Record<string, string> }> {
  const offers = await offersOf(name);
  const refused = offers.flatMap(({ sku, unsellable }) => (unsellable === undefined ? [] : [[sku, unsellable]]));
  const sold = offers.filter(({ unsellable }) => unsellable === undefined).map(({ sku }) => sku);
  return { sold, refused: Object.fromEntries(refused) as Record<string, string> };
}

async function offer(name: FakeName, sku: string): Promise<SupplierOffer | undefined> {
  return (await offersOf(name)).find((one) => one.sku === sku);
}

describe('Sellable offers', () => {
  test('When DT One lists its products, then products that need more than a recipient have the reason', async () => {
    const { sold, refused } = await judged('dtone');
    expect(sold).toEqual([
      'fixed:2101:INR:199',
      'fixed:2102:INR:299',
      'range:2103',
      'fixed:2202:MXN:100',
      'fixed:2902:QQP:500',
      'range:3101',
      'fixed:1101:USD:10',
      'fixed:1102:USD:25',
      'range:1103',
      'fixed:1104:EUR:50',
      'range:1105',
      'plan:4101',
      'plan:4102',
      'plan:4103',
      'plan:4104',
    ]);
    expect(refused).toEqual({
      'range:2201': 'It takes no amounts in the currency of the recipient',
      'fixed:2901:INR:100':
        'It needs inputs that the service has no field for: first_name, last_name, mobile_number, tax_id',
      'plan:4105': 'It has minutes or messages, and no data',
    });
  });

  test('When Reloadly lists its products, then products that it would reject have the reason', async () => {
    const { sold, refused } = await judged('reloadly');
    expect(sold).toEqual(
      expect.arrayContaining(['gift:101:EUR', 'topup:201:IN:INR', 'topup:202:IN:INR:99', 'bill:302:NGN']),
    );
    expect(refused).toMatchObject({
      'gift:106:USD': 'It needs inputs that the service has no field for: userId',
      'topup:205:MX:MXN': 'It takes no amounts in the currency of the recipient',
      'bill:301:NGN': 'It is prepaid, so it may return a code, which a top-up cannot deliver',
      'bill:303:GHS': 'It takes no amounts in the currency of the recipient',
      'bill:304:KES': 'It is prepaid, so it may return a code, which a top-up cannot deliver',
      'bill:305:ZAR': 'It needs inputs that the service has no field for: invoice',
    });
  });

  test('When Zendit lists its offers, then disabled offers and offers with required fields have the reason', async () => {
    const { sold, refused } = await judged('zendit');
    expect(sold).toContain('plan:ESIM-US-UNLIMITED-10D');
    expect(refused).toEqual({
      'range:LIBRAIRIE-FR-OPEN:EUR:100':
        'It needs inputs that the service has no field for: recipient.firstName, recipient.lastName',
      'fixed:MONEDERO-MX-200:MXN:200':
        'It needs inputs that the service has no field for: recipient.nationalId, sender.msisdn',
      'fixed:COFFEE-US-015:USD:15': 'The supplier has switched it off',
      'fixed:GANGA-IN-050:INR:50': 'The supplier has switched it off',
    });
  });

  test('When Airalo lists its packages, then packages without a price have the reason', async () => {
    const { sold, refused } = await judged('airalo');
    expect(sold).toEqual(expect.arrayContaining(['nimbus-7days-1gb', 'sakura-10days-unlimited']));
    expect(refused).toEqual({ 'drift-7days-1gb': 'The supplier lists no price for customers' });
  });
});

describe('The content of an offer', () => {
  test.each<[FakeName, string, object]>([
    [
      'dtone',
      'fixed:1102:USD:25',
      {
        family: 'VOUCHER',
        currency: 'USD',
        country: 'USA',
        operator: 'Coffee House',
        inputs: [],
        amounts: { fixed: ['25'] },
        cost: { fixed: '24', fee: '0.15', currency: 'USD' },
        terms: 'The code cannot be exchanged for cash.',
        redemption: 'Enter the code at the checkout.\nKeep the serial number for questions.',
      },
    ],
    [
      'dtone',
      'plan:4101',
      {
        family: 'ESIM',
        currency: 'USD',
        productSku: 'operator:341',
        amounts: { fixed: ['9'] },
        cost: { fixed: '6.75', fee: '0', currency: 'USD' },
      },
    ],
    [
      'reloadly',
      'gift:101:EUR',
      {
        family: 'VOUCHER',
        currency: 'EUR',
        country: 'DE',
        amounts: { fixed: ['10', '25', '50'] },
        // The published rate of 1.083746, less 3.5 %.
        cost: { percent: '104.581489', fee: '0.5', currency: 'USD' },
        imageUrl: 'https://cdn.fake-reloadly.example/101.png',
        redemption: 'Show the code of Nordlicht Books DE at the till. The till checks the balance.',
      },
    ],
    [
      'reloadly',
      'gift:104:USD',
      { amounts: { min: '1', max: '100' }, cost: { percent: '99.25', fee: '0.25', currency: 'USD' } },
    ],
    [
      'reloadly',
      'topup:202:IN:INR:199',
      {
        family: 'TOPUP',
        country: 'IN',
        inputs: ['phone_number'],
        amounts: { fixed: ['199'] },
        cost: { fixed: '2.28245', fee: '0', currency: 'USD' },
      },
    ],
    [
      'reloadly',
      'bill:302:NGN',
      {
        inputs: ['account_number'],
        country: 'NG',
        amounts: { min: '1000', max: '300000' },
        cost: { percent: '100', fee: '0', currency: 'NGN' },
      },
    ],
    [
      'zendit',
      'fixed:COFFEE-US-025:USD:25',
      { amounts: { fixed: ['25'] }, cost: { fixed: '24', fee: '0.15', currency: 'USD' } },
    ],
    [
      'zendit',
      'range:AZTECA-MX-OPEN:MXN:100',
      {
        amounts: { min: '20', max: '1000' },
        inputs: ['phone_number'],
        cost: { percent: '5.72', fee: '0', currency: 'USD' },
      },
    ],
    [
      'zendit',
      'fixed:KAWA-JP-2000:JPY:2000',
      { currency: 'JPY', amounts: { fixed: ['2000'] }, cost: { fixed: '13.89', fee: '0', currency: 'USD' } },
    ],
    [
      'zendit',
      'plan:ESIM-WORLD-1GB-7D',
      { amounts: { fixed: ['9'] }, productSku: 'brand:ROAMWORLD', cost: { fixed: '6.75', fee: '0', currency: 'USD' } },
    ],
    [
      'airalo',
      'nimbus-7days-1gb',
      {
        family: 'ESIM',
        country: 'US',
        currency: 'USD',
        amounts: { fixed: ['4.5'] },
        inputs: [],
        productSku: 'united-states',
        operator: 'Nimbus Mobile',
        cost: { fixed: '3.6', fee: '0', currency: 'USD' },
        imageUrl: 'https://cdn.fake-airalo.example/united-states.png',
        plan: {
          dataAmountGb: 1,
          validityDays: 7,
          networks: [],
          isRechargeable: true,
          activationPolicy: 'first-usage',
          regions: [{ code: 'USA', name: 'United States' }],
        },
      },
    ],
  ])('When %s lists %s, then its amounts, our cost and its texts are read', async (name, sku, expected) => {
    expect(await offer(name, sku)).toMatchObject(expected);
  });
});

/** The first digits of valid phone numbers by country. The test appends four digits. */
const phones: Readonly<Record<string, string>> = {
  IN: '+91982000',
  IND: '+91982000',
  MX: '+52551234',
  MEX: '+52551234',
  CU: '+535123',
};
/** Ganga Telecom has a separate range of numbers. */
const phoneOf = (name: string, country: string) => (name.startsWith('Ganga') ? '+91682000' : phones[country]);
/** Currencies that are not in ISO 4217. The adapters do not check this. */
const unknownCurrencies = ['QQP', 'GXP', 'ISR'];

describe.each(fakeNames)('The catalogue of %s', (name) => {
  test('When an offer can be sold, then its SKU buys it', async () => {
    const supplier = supplierOf(name);
    let references = 0;
    for (const { family, sku, name: title, amounts, currency, country = '', unsellable, plan } of await offersOf(
      name,
    )) {
      if (plan?.isRechargeOnly) continue;
      if (unsellable !== undefined || unknownCurrencies.includes(currency)) continue;
      const report = await supplier.purchase(
        {
          reference: purchaseReference(++references, 'nonce1234567', 1),
          family,
          sku,
          units: 1,
          currency,
          unitValue: 'fixed' in amounts ? (amounts.fixed[0] ?? '') : amounts.min,
          // A new number for each purchase, because operators reject an immediate second top-up of a number.
          input: { phone_number: `${phoneOf(title, country)}${1_000 + references}`, account_number: '04512345678' },
        },
        () => true,
      );
      // Some packages of the sandbox are made to be rejected.
      const isTest = sku.startsWith('test-');
      expect([sku, isTest || report.state === 'DELIVERED' || report.state === 'PENDING']).toEqual([sku, true]);
    }
    expect(references).toBeGreaterThan(3);
  });

  test('When a product has vanished, then it is not listed', async () => {
    const { sku, product } = benches[name].vanishing;
    expect(await offer(name, sku)).toBeDefined();
    await shops[name].misbehave({ vanished: true }, product);
    expect(await offer(name, sku)).toBeUndefined();
    await shops[name].misbehave({}, product);
  });

  test('When products have fields that are not documented, then they are ignored', async () => {
    const before = await offersOf(name);
    await shops[name].misbehave({ additional_field: true });
    expect(await offersOf(name)).toEqual(before);
    await shops[name].misbehave({});
  });

  test('When the list breaks off or a gateway answers with a page, then the adapter throws instead of returning a short list', async () => {
    const { proxy } = shops[name];
    const isList = (path: string) => path.startsWith(benches[name].list);
    proxy.meddle = ({ path }) => (isList(path) ? { do: 'cut-answer' } : undefined);
    await expect(offersOf(name)).rejects.toMatchObject({ name: 'SupplierUnavailable' });
    const body = '<html>Bad gateway</html>';
    proxy.meddle = ({ path }) => (isList(path) ? { do: 'answer-instead', answer: { status: 200, body } } : undefined);
    await expect(offersOf(name)).rejects.toMatchObject({ name: 'SupplierUnavailable' });
  });
});

test.each<[FakeName, string, object, Record<string, string>]>([
  ['dtone', '/v1/products', [], { 'x-total': '2', 'x-total-pages': '1' }],
  ['dtone', '/v1/products', [], { 'x-total-pages': '1' }],
  ['reloadly', '/topups/operators', { content: [], totalElements: 3, totalPages: 1 }, {}],
  ['zendit', '/v1/topups/offers', { limit: 100, offset: 0, total: 3, list: [] }, {}],
  [
    'airalo',
    '/v2/packages',
    { pricing: { model: 'net_pricing' }, data: [], links: { next: 'https://example.com/?page=2' }, meta: {} },
    {},
  ],
])('When a list of %s has fewer rows than its total, then the adapter throws', async (name, list, body, headers) => {
  shops[name].proxy.meddle = ({ path }) =>
    path.startsWith(list)
      ? { do: 'answer-instead', answer: { status: 200, headers, body: JSON.stringify(body) } }
      : undefined;
  await expect(offersOf(name)).rejects.toMatchObject({ name: 'SupplierUnavailable' });
});

/** The demo data matches the simulator's catalogue. */
import { findOffer, plansOf } from '../../dev/simulator/catalogue';
import { scenarioForRecipient } from '../../dev/simulator/sandbox-scenarios';
import { rejectionCodes, scenarios as outcomes } from '../../dev/simulator/purchases';
import { failureCodes } from '../../src/domain/orders/failure-codes';
import catalogue from '../../dev/sandbox/catalogue.json';
import { clients } from '../../dev/sandbox/clients';
import { scenarios } from '../../dev/sandbox/scenarios';
import { textOf } from '../documents/documents';
import { checkedCatalogue } from '../../src/operators/operations/catalogue/catalogue-file';

const { voucherProducts, topupProducts, esimProducts } = checkedCatalogue(catalogue, 'catalogue.json');

const productSkus = [...voucherProducts, ...topupProducts, ...esimProducts].map(({ sku }) => sku);
const listed = scenarios((sku) => {
  const index = productSkus.indexOf(sku);
  if (index < 0) throw new Error(`no demo product ${sku}`);
  return index + 1;
});

test('When the demo products are compared, then no two share a SKU', () => {
  expect(new Set(productSkus).size).toBe(productSkus.length);
});

test.each(voucherProducts.map((product) => [product.sku, product] as const))(
  'When the voucher %s is in the demo, then the simulator sells it at the same values',
  (sku, product) => {
    const offer = findOffer(sku);
    expect(offer).toMatchObject({
      family: 'VOUCHER',
      currency: product.currencyCode,
      form: product.deliveryMode === 'URL' ? 'URL' : 'CODE_WITH_PIN',
      values: product.denominations.map(({ min, max }) => [Number(min), Number(max)]),
    });
  },
);

const topupVariants = topupProducts.flatMap((product) =>
  product.variants.map((variant) => [variant.supplierSku, variant, product] as const),
);

test.each(topupVariants)(
  'When the top-up %s is in the demo, then the simulator sells it at the same values',
  (supplierSku, variant, product) => {
    const values = variant.fixedAmounts?.map((amount) => [Number(amount), Number(amount)]) ?? [
      [Number(variant.minAmount), Number(variant.maxAmount)],
    ];
    const offer = findOffer(supplierSku);
    expect(offer).toMatchObject({ family: 'TOPUP', currency: variant.currencyCode, values });
    const fieldNames = product.inputFields?.map(({ fieldName }) => fieldName);
    expect(fieldNames).toContain(offer?.family === 'TOPUP' && offer.recipientField);
  },
);

test.each(esimProducts.map((product) => [product.sku, product] as const))(
  'When the eSIM product %s is in the demo, then the simulator has three plans or more, each at its own price',
  (sku, product) => {
    const plans = plansOf(sku);
    expect(plans.length).toBeGreaterThanOrEqual(3);
    expect(new Set(plans.map(({ price }) => price)).size).toBe(plans.length);
    expect(plans.every(({ currency }) => currency === product.currencyCode)).toBe(true);
  },
);

test('When input fields are collected, then all four kinds occur, and every regex accepts its placeholder', () => {
  const inputFields = topupProducts.flatMap(({ inputFields = [] }) => inputFields);
  expect(new Set(inputFields.map(({ fieldType }) => fieldType)).size).toBe(4);
  for (const { validationRegex, placeholder } of inputFields) {
    if (validationRegex) expect(placeholder).toMatch(new RegExp(validationRegex));
  }
});

test.each(topupVariants)(
  'When the placeholder of the recipient of %s is entered, then the top-up is delivered immediately',
  (supplierSku, _variant, product) => {
    const offer = findOffer(supplierSku);
    const recipient = product.inputFields?.find(
      ({ fieldName }) => offer?.family === 'TOPUP' && fieldName === offer.recipientField,
    );
    expect(scenarioForRecipient(recipient?.placeholder ?? '201')).toEqual(outcomes.instant);
  },
);

test('When clients name products, then the products exist', () => {
  for (const { voucherDiscounts, blacklistedSkus } of clients) {
    const named = [...voucherDiscounts.map(({ sku }) => sku), ...blacklistedSkus];
    named.forEach((sku) => expect(productSkus).toContain(sku));
  }
});

test('When failure codes are compared, then simulator and service have the same codes in the same order', () => {
  expect(rejectionCodes).toEqual(failureCodes);
});

test('When the scenarios are listed, then each name appears once', () => {
  const named = (prefix: string): string[] =>
    listed.flatMap(({ name }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
  expect(named('voucher_')).toEqual(
    'instant url range bulk delayed partial partial_then_failed out_of_stock timeout_fulfilled slow flaky needs_operator held redeemable'.split(
      ' ',
    ),
  );
  const rejections = failureCodes.map((code) => `reject_${code.toLowerCase()}`);
  expect(named('topup_')).toEqual([
    'instant',
    'pending',
    'failed_later',
    'flaky',
    'timeout_fulfilled',
    'supplier_blocked',
    ...rejections,
  ]);
  expect(named('esim_')).toEqual(
    'instant slow failed_now failed_later flaky timeout_fulfilled unlimited recharge recharge_lost'.split(' '),
  );
});

test('When an eSIM scenario names an amount, then it is the price of the plan of that name', () => {
  const plans = plansOf('SIM-ESIM-SANDBOX');
  for (const { name, body } of listed.filter(({ path }) => path.includes('/esim/'))) {
    const plan = plans.find(({ price }) => Number(price) === body.amount);
    const suffix = name.replace('esim_', '').replace('_fulfilled', '').replaceAll('_', '-').toUpperCase();
    expect(plan?.sku).toBe(`SIM-ESIM-SANDBOX-${suffix}`);
  }
});

describe('The page about the sandbox', () => {
  const page = textOf('docs/clients/sandbox.md');
  /** The rows of all scenarios by name. */
  const rows = new Map(
    Array.from(page.matchAll(/^\| `((?:voucher|topup|esim|fault)_\w+)` \| .*$/gm), ([row, name = '']) => [name, row]),
  );
  const isRejection = ({ name }: { name: string }) => name.startsWith('topup_reject_');
  const hasFault = ({ headers }: { headers?: object }) => headers !== undefined;

  test('When scenarios are listed, then it has a row for each, with its first and its last status, and no other row', () => {
    const described = listed.filter((scenario) => !isRejection(scenario));
    const wrong = described.filter(({ name, initial_status: first, final_status: last, ...scenario }) => {
      const row = rows.get(name) ?? '';
      const statuses = new RegExp(`\\| ${first}(, after [^|]*)? \\| ${last} \\|$`);
      return hasFault(scenario) ? row === '' : !statuses.test(row);
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
    expect([...rows.keys()].sort()).toEqual(described.map(({ name }) => name).sort());
  });

  test('When top-ups can be rejected, then it has the digits of each failure code', () => {
    const digits = listed.filter(isRejection).map(({ body, failure_code: code = '' }) => {
      const { phone_number: recipient } = (body as { input_data: { phone_number: string } }).input_data;
      return [recipient.slice(-3), code] as const;
    });
    expect(digits.length).toBeGreaterThan(5);
    const paragraph = page.replace(/\s+/g, ' ');
    expect(digits.filter(([ending, code]) => !paragraph.includes(`${ending} \`${code}\``))).toEqual([]);
  });
});

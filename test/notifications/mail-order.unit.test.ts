/** The content of order mails, and the content that they must not have. */
import type { OrderToMail } from '../../src/data/purchases/families';
import type { VoucherRow } from '../../src/data/orders/order-rows';
import { sealCodes, type VoucherCodes } from '../../src/data/orders/voucher-codes';
import { orderMail, showsVouchers } from '../../src/notifications/mail/order-mail';
import type { Mail } from '../../src/notifications/mail/send';
import { esimField, orderField, Sealer } from '../../src/security/sealing';
import { newKeyRing } from '../support/keys';

const sealer = new Sealer(newKeyRing());
const lpa = 'LPA:1$smdp.example.com$M-4711&x';

const common = {
  orderId: 17,
  nonce: 'a1b2c3',
  clientName: 'Corner Shop',
  productName: 'Harbour Coffee',
  status: 'DELIVERED',
  failureCode: null,
  refunded: false,
  quantity: 1,
  delivered: 1,
  faceValue: '10.0000',
  currency: 'USD',
  minorUnit: 2,
  placedAt: new Date('2026-01-31T12:34:56Z'),
  sealedEmail: sealer.seal(orderField('a1b2c3', 'email'), 'ann@example.com'),
  codesInMail: false,
} as const satisfies Partial<OrderToMail>;

const orders = {
  VOUCHER: { ...common, family: 'VOUCHER', validity: '12 months', howToUse: 'Show it\nat the till.' },
  TOPUP: {
    ...common,
    family: 'TOPUP',
    variantName: '5 GB for 30 days',
    sealedInput: sealer.seal(
      orderField('a1b2c3', 'input'),
      JSON.stringify({ phone: '+12025550100', zone: 'eu', memo: 'x' }),
    ),
    inputFields: [
      { field_name: 'phone', field_label: 'Phone number', field_type: 'phone', is_required: true },
      {
        field_name: 'zone',
        field_label: 'Zone',
        field_type: 'select',
        is_required: true,
        options: [{ value: 'eu', label: 'Europe' }],
      },
    ],
  },
  ESIM: {
    ...common,
    family: 'ESIM',
    dataAmountGb: '3.000',
    validityDays: 30,
    sealedActivationCode: null,
    isRecharge: false,
  },
} as const satisfies Record<OrderToMail['family'], OrderToMail>;

const families = ['VOUCHER', 'TOPUP', 'ESIM'] as const;
const withCode = { codesInMail: true, sealedActivationCode: sealer.seal(esimField(17, 'activation_code'), lpa) };
const failed = { status: 'FAILED', delivered: 0, failureCode: 'RECIPIENT_BARRED', refunded: true } as const;

function voucher(unit: number, codes: VoucherCodes): VoucherRow {
  return {
    unit,
    sealedCodes: sealCodes(sealer, { orderId: 17, unit }, codes),
    expiresAt: new Date('2027-01-31T00:00:00Z'),
  };
}

async function mail(
  family: OrderToMail['family'],
  changes: Partial<OrderToMail> = {},
  vouchers: VoucherRow[] = [],
): Promise<Mail> {
  return orderMail(sealer, { ...orders[family], ...changes } as OrderToMail, vouchers);
}

/** The visible text of both parts: plain text, and HTML without tags. */
function bodies({ text, html }: Mail): string[] {
  return [text, html.replace(/<style>.*<\/style>|<[^>]+>/gs, ' ').replace(/\s+/g, ' ')];
}

describe('every mail of an order', () => {
  const states = [{}, failed, { ...failed, status: 'CANCELLED', failureCode: null }, withCode] as const;

  test.each(families.flatMap((family) => states.map((state) => [family, state] as const)))(
    'When a mail is about %s, %o, then both parts are complete and name order, product and client',
    async (family, state) => {
      const made = await mail(family, state);
      expect(made.to).toBe('ann@example.com');
      expect(made.subject).toContain('Harbour Coffee');
      for (const body of bodies(made)) {
        expect(body).toContain('Harbour Coffee');
        expect(body).toMatch(/Order 17, placed by Corner Shop on 2026-01-31 12:34 UTC/);
        expect(body).not.toMatch(/\{\{|\{%|undefined|null|NaN|\[object/);
      }
      expect(made.text).not.toMatch(/\n{3}|[ \t]\n|[ \t]$/);
      expect(made.html).toContain('name="viewport" content="width=device-width');
    },
  );

  test.each(families)('When a mail about %s is rendered again, then it has the same Message-ID', async (family) => {
    const [first, second] = [await mail(family), await mail(family, { clientName: 'Renamed' })];
    expect(first.messageId).toBe('order-17-a1b2c3');
    expect(second.messageId).toBe(first.messageId);
  });

  test.each(families)('When values of %s contain HTML, then the mail escapes it', async (family) => {
    const hostile = '"><script>alert(1)</script>';
    const changes = {
      productName: hostile,
      clientName: hostile,
      ...(family === 'VOUCHER' && { howToUse: `a\n${hostile}`, validity: hostile }),
      ...(family === 'TOPUP' && { variantName: hostile }),
    };
    const { html, text } = await mail(family, changes);
    expect(html).not.toContain('<script');
    expect(html).toContain('&lt;script&gt;');
    expect(text).toContain(hostile);
  });

  test('When the name of a product has several lines, then the subject has one', async () => {
    const { subject } = await mail('VOUCHER', { productName: 'Card\r\nBcc: eve@example.com\u2028x' });
    expect(subject).toBe('Delivered: Card Bcc: eve@example.com x (order 17)');
  });
});

describe('an order that was not delivered', () => {
  test.each(families)(
    'When %s failed and the wallet was refunded, then the mail states both and the reason',
    async (family) => {
      const made = await mail(family, failed);
      expect(made.subject).toBe('Not delivered: Harbour Coffee (order 17)');
      for (const body of bodies(made)) {
        expect(body).toContain('The order could not be delivered. The operator has blocked this recipient.');
        expect(body).toContain('The wallet that paid has been refunded');
        expect(body).not.toContain('HOW TO');
      }
    },
  );

  test('When an order was cancelled, then the mail states the cancellation instead', async () => {
    const made = await mail('ESIM', { ...failed, status: 'CANCELLED', failureCode: null });
    expect(made.subject).toMatch(/^Cancelled: /);
    for (const body of bodies(made)) expect(body).toContain('cancelled before anything was delivered');
  });

  test('When the refund has not happened, then the mail does not mention one', async () => {
    for (const body of bodies(await mail('TOPUP', { ...failed, refunded: false }))) {
      expect(body).not.toContain('has been refunded');
      expect(body).toContain('Our operations team settles the refund');
    }
  });

  test('When only some vouchers are delivered, then the mail states both parts', async () => {
    const part = { status: 'FAILED', failureCode: 'UNKNOWN', quantity: 10, delivered: 4, refunded: true } as const;
    const made = await mail('VOUCHER', part);
    expect(made.subject).toMatch(/^Delivered in part: /);
    for (const body of bodies(made)) {
      expect(body).toContain('6 of 10 could not be delivered.');
      expect(body).toContain('/api/v1/orders/17');
    }
  });
});

describe('codes', () => {
  test('When the client has no codes in mails, then the mail explains how to fetch and use the goods', async () => {
    expect(showsVouchers(orders.VOUCHER)).toBe(false);
    for (const body of bodies(await mail('VOUCHER'))) {
      expect(body).toContain('GET /api/v1/orders/17');
      expect(body).toMatch(/Show it\s+at the till\./);
      expect(body).toContain('12 months');
    }
    const esim = await mail('ESIM');
    for (const body of bodies(esim)) {
      expect(body).toContain('GET /api/v1/esim/orders/17');
      expect(body).toMatch(/3 GB, 30 days/);
      expect(body).toContain('Connect the phone to Wi-Fi');
      expect(body).not.toContain('LPA:');
    }
  });

  test('When the client has codes in mails, then the mail contains the codes of every voucher', async () => {
    const changes = { codesInMail: true, quantity: 2, delivered: 2 };
    expect(showsVouchers({ ...orders.VOUCHER, ...changes })).toBe(true);
    const made = await mail('VOUCHER', changes, [
      voucher(1, { cardNumber: '6001-0001', pinCode: '1234' }),
      voucher(2, { claimUrl: 'https://claim.example/abc?x=1&y=2' }),
    ]);
    for (const body of bodies(made)) {
      for (const part of ['6001-0001', '1234', '2027-01-31', 'Voucher 2']) expect(body).toContain(part);
      expect(body).not.toContain('GET /api/v1/orders/17');
    }
    expect(made.text).toContain('https://claim.example/abc?x=1&y=2');
    expect(made.html).toContain('href="https://claim.example/abc?x=1&amp;y=2"');
  });

  test('When a mail would have too many codes, then it points to the API', () => {
    const large = { ...orders.VOUCHER, codesInMail: true, quantity: 101 };
    expect(showsVouchers({ ...large, delivered: 100 })).toBe(true);
    expect(showsVouchers({ ...large, delivered: 101 })).toBe(false);
  });

  test('When a claim URL is not a web page, then it is not a link', async () => {
    const row = voucher(1, { claimUrl: 'javascript:alert(1)' });
    const { html } = await mail('VOUCHER', { codesInMail: true }, [row]);
    expect(html).not.toContain('href=');
  });

  test('When an eSIM mail may show the code, then it has the parts of the code and an install link, and no picture', async () => {
    const made = await mail('ESIM', withCode);
    expect(made).not.toHaveProperty('attachments');
    expect(made.html).not.toMatch(/<img|cid:/);
    expect(made.html).toContain('carddata=LPA%3A1%24smdp.example.com%24M-4711%26x"');
    expect(made.text).toContain(`\n${lpa}\n`);
    for (const part of ['smdp.example.com', 'M-4711']) {
      for (const body of bodies(made)) expect(body).toContain(part);
    }
  });
});

test('When a top-up is delivered, then the mail describes the recharge with the text of the product', async () => {
  for (const body of bodies(await mail('TOPUP'))) {
    expect(body).toMatch(/Phone number:? \+12025550100/);
    expect(body).toMatch(/Zone:? Europe/);
    expect(body).toMatch(/memo:? x/);
    expect(body).toContain('5 GB for 30 days, 10.00 USD');
    expect(body).toContain('The top-up is done.');
  }
});

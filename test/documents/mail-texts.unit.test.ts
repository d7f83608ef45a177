/** Every mail as its reader sees it: subject and text. The HTML part has the same content. */
import type { OrderToMail } from '../../src/data/purchases/families';
import type { VoucherRow } from '../../src/data/orders/order-rows';
import { sealCodes } from '../../src/data/orders/voucher-codes';
import { orderMail } from '../../src/notifications/mail/order-mail';
import { mailAboutDisabling } from '../../src/notifications/mail/endpoint-disabled-mail';
import { esimField, orderField, Sealer } from '../../src/security/sealing';
import { newKeyRing } from '../support/keys';

const sealer = new Sealer(newKeyRing());
const nonce = 'a1b2c3';

const order = {
  orderId: 17,
  nonce,
  clientName: 'Corner Shop',
  status: 'DELIVERED',
  failureCode: null,
  refunded: false,
  quantity: 1,
  delivered: 1,
  faceValue: '10.0000',
  currency: 'USD',
  minorUnit: 2,
  placedAt: new Date('2026-01-31T12:34:56Z'),
  sealedEmail: sealer.seal(orderField(nonce, 'email'), 'ann@example.com'),
  codesInMail: false,
} as const satisfies Partial<OrderToMail>;

const voucherOrder = {
  ...order,
  family: 'VOUCHER',
  productName: 'Harbour Coffee',
  validity: '12 months',
  howToUse: 'Show it at the till.',
} as const satisfies OrderToMail;

const topupOrder = {
  ...order,
  family: 'TOPUP',
  productName: 'Liberty Mobile',
  variantName: '5 GB for 30 days',
  sealedInput: sealer.seal(orderField(nonce, 'input'), JSON.stringify({ phone: '+12025550100' })),
  inputFields: [{ field_name: 'phone', field_label: 'Phone number', field_type: 'phone', is_required: true }],
} as const satisfies OrderToMail;

const esimOrder = {
  ...order,
  family: 'ESIM',
  productName: 'Japan eSIM',
  dataAmountGb: '3.000',
  validityDays: 30,
  sealedActivationCode: sealer.seal(esimField(17, 'activation_code'), 'LPA:1$smdp.example.com$M-4711'),
  isRecharge: false,
} as const satisfies OrderToMail;

function voucher(unit: number): VoucherRow {
  const codes = {
    cardNumber: `CODE-${unit}`,
    pinCode: '1234',
    claimUrl: 'https://claim.example/1',
    referenceNumber: 'VR-1',
  };
  return {
    unit,
    sealedCodes: sealCodes(sealer, { orderId: 17, unit }, codes),
    expiresAt: new Date('2027-01-31T00:00:00Z'),
  };
}

const footer = `--
Order 17, placed by Corner Shop on 2026-01-31 12:34 UTC
You get this mail because your address was given with the order. Replies are not read.`;

const refunded = { delivered: 0, refunded: true } as const;

/** Each mail: its name, the order, the vouchers whose codes it shows, its subject, and its text between subject and footer. */
const mails: readonly (readonly [string, OrderToMail, VoucherRow[], string, string])[] = [
  [
    'vouchers without codes',
    voucherOrder,
    [],
    'Delivered: Harbour Coffee (order 17)',
    `1 x Harbour Coffee, 10.00 USD each

HOW TO GET THE CODES
They are not in this mail. Corner Shop, who placed the order, fetches them with the API:
GET /api/v1/orders/17

HOW TO USE THEM
Show it at the till.

Validity: 12 months`,
  ],
  [
    'vouchers with codes, in part',
    { ...voucherOrder, status: 'FAILED', quantity: 3, delivered: 2, refunded: true, codesInMail: true },
    [voucher(1), voucher(2)],
    'Delivered in part: Harbour Coffee (order 17)',
    `3 x Harbour Coffee, 10.00 USD each

Voucher 1
Code: CODE-1
PIN: 1234
Claim it here: https://claim.example/1
Number: VR-1
Valid until: 2027-01-31

Voucher 2
Code: CODE-2
PIN: 1234
Claim it here: https://claim.example/1
Number: VR-1
Valid until: 2027-01-31

HOW TO USE THEM
Show it at the till.

Validity: 12 months

1 of 3 could not be delivered.
The wallet that paid has been refunded for what was not delivered.`,
  ],
  [
    'vouchers that failed, before the refund',
    { ...voucherOrder, status: 'FAILED', failureCode: 'UNKNOWN', delivered: 0 },
    [],
    'Not delivered: Harbour Coffee (order 17)',
    `1 x Harbour Coffee, 10.00 USD each

The order could not be delivered.
Our operations team settles the refund of what was not delivered.`,
  ],
  [
    'vouchers that were cancelled',
    { ...voucherOrder, status: 'CANCELLED', ...refunded },
    [],
    'Cancelled: Harbour Coffee (order 17)',
    `1 x Harbour Coffee, 10.00 USD each

The order was cancelled before anything was delivered.
The wallet that paid has been refunded for what was not delivered.`,
  ],
  [
    'a top-up',
    topupOrder,
    [],
    'Topped up: Liberty Mobile (order 17)',
    `The top-up is done. It can take some minutes until it shows.

Liberty Mobile, 5 GB for 30 days, 10.00 USD
Phone number: +12025550100`,
  ],
  [
    'a top-up that failed',
    { ...topupOrder, status: 'FAILED', failureCode: 'RECIPIENT_BARRED', ...refunded },
    [],
    'Not delivered: Liberty Mobile (order 17)',
    `This was not topped up:

Liberty Mobile, 5 GB for 30 days, 10.00 USD
Phone number: +12025550100

The order could not be delivered. The operator has blocked this recipient.
The wallet that paid has been refunded for what was not delivered.`,
  ],
  [
    'an eSIM with its code',
    { ...esimOrder, codesInMail: true },
    [],
    'Ready to install: Japan eSIM (order 17)',
    `Japan eSIM, 3 GB, 30 days from the first use

ACTIVATION CODE
LPA:1$smdp.example.com$M-4711
On an iPhone with iOS 17.4 or newer, open this link to install it:
https://esimsetup.apple.com/esim_qrcode_provisioning?carddata=LPA%3A1%24smdp.example.com%24M-4711
On an Android phone, open this link:
https://esimsetup.android.com/esim_qrcode_provisioning?carddata=LPA%3A1%24smdp.example.com%24M-4711
To type it in yourself:
SM-DP+ address: smdp.example.com
Matching ID, or activation code: M-4711

HOW TO INSTALL IT
1. Connect the phone to Wi-Fi. It must support eSIM and must not be locked to an operator.
2. If you have a link for your phone, open it. If it does not start the installation, open the settings. iPhone: Settings > Mobile Data (or Cellular) > Add eSIM > Use QR Code > Enter Details Manually. Android: Settings > Network & internet > SIMs > Add SIM > Set up an eSIM (Samsung: Settings > Connections > SIM manager > Add eSIM).
3. In the settings, choose to enter the details yourself, and type them in.
4. Where you use the eSIM, choose it for mobile data and switch data roaming on.
5. The code works once: do not remove the eSIM before it is used up.`,
  ],
  [
    'a recharge of an eSIM',
    { ...esimOrder, isRecharge: true, sealedActivationCode: null },
    [],
    'Recharged: Japan eSIM (order 17)',
    `Japan eSIM, 3 GB, 30 days from the first use

The plan was added to the eSIM that is on the phone already. There is nothing to install.`,
  ],
  [
    'an eSIM without its code',
    { ...esimOrder, dataAmountGb: '0', sealedActivationCode: null },
    [],
    'Ready to install: Japan eSIM (order 17)',
    `Japan eSIM, unlimited data, 30 days from the first use

HOW TO GET THE ACTIVATION CODE
It is not in this mail. Corner Shop, who placed the order, fetches it with the API:
GET /api/v1/esim/orders/17

HOW TO INSTALL IT
1. Connect the phone to Wi-Fi. It must support eSIM and must not be locked to an operator.
2. If you have a link for your phone, open it. If it does not start the installation, open the settings. iPhone: Settings > Mobile Data (or Cellular) > Add eSIM > Use QR Code > Enter Details Manually. Android: Settings > Network & internet > SIMs > Add SIM > Set up an eSIM (Samsung: Settings > Connections > SIM manager > Add eSIM).
3. In the settings, choose to enter the details yourself, and type them in.
4. Where you use the eSIM, choose it for mobile data and switch data roaming on.
5. The code works once: do not remove the eSIM before it is used up.`,
  ],
  [
    'an eSIM that failed',
    { ...esimOrder, status: 'FAILED', failureCode: 'PRODUCT_OUT_OF_STOCK', sealedActivationCode: null, ...refunded },
    [],
    'Not delivered: Japan eSIM (order 17)',
    `Japan eSIM, 3 GB, 30 days from the first use

The order could not be delivered. The product is out of stock. Pick another or try again later.
The wallet that paid has been refunded for what was not delivered.`,
  ],
];

/** The words of the HTML part between subject and footer. */
const htmlOf: Readonly<Record<string, string>> = {
  'vouchers without codes': `
    1 x Harbour Coffee, 10.00 USD each How to get the codes They are not in this mail. Corner Shop, who
    placed the order, fetches them with the API: GET /api/v1/orders/17 How to use them Show it at the
    till. Validity 12 months
  `,
  'vouchers with codes, in part': `
    3 x Harbour Coffee, 10.00 USD each Voucher 1 Code CODE-1 PIN 1234 Claim it https://claim.example/1
    Number VR-1 Valid until 2027-01-31 Voucher 2 Code CODE-2 PIN 1234 Claim it https://claim.example/1
    Number VR-1 Valid until 2027-01-31 How to use them Show it at the till. Validity 12 months 1 of 3
    could not be delivered. The wallet that paid has been refunded for what was not delivered.
  `,
  'vouchers that failed, before the refund': `
    1 x Harbour Coffee, 10.00 USD each The order could not be delivered. Our operations team settles the
    refund of what was not delivered.
  `,
  'vouchers that were cancelled': `
    1 x Harbour Coffee, 10.00 USD each The order was cancelled before anything was delivered. The wallet
    that paid has been refunded for what was not delivered.
  `,
  'a top-up': `
    The top-up is done. It can take some minutes until it shows. Liberty Mobile 5 GB for 30 days, 10.00
    USD Phone number +12025550100
  `,
  'a top-up that failed': `
    This was not topped up: Liberty Mobile 5 GB for 30 days, 10.00 USD Phone number +12025550100 The
    order could not be delivered. The operator has blocked this recipient. The wallet that paid has been
    refunded for what was not delivered.
  `,
  'an eSIM with its code': `
    Japan eSIM, 3 GB, 30 days from the first use Install on this iPhone iOS 17.4 or newer Install on this
    Android phone To type it in yourself SM-DP+ address smdp.example.com Matching ID, or activation code
    M-4711 Both in one LPA:1$smdp.example.com$M-4711 How to install it Connect the phone to Wi-Fi. It must
    support eSIM and must not be locked to an operator. If you have a link for your phone, open it. If it does
    not start the installation, open the settings. iPhone: Settings > Mobile Data (or Cellular) > Add eSIM > Use QR
    Code > Enter Details Manually. Android: Settings > Network & internet > SIMs > Add SIM > Set up an
    eSIM (Samsung: Settings > Connections > SIM manager > Add eSIM). In the settings, choose to enter the
    details yourself, and type them in. Where you use the eSIM, choose it for mobile data and switch data
    roaming on. The code works once: do not remove the eSIM before it is used up.
  `,
  'a recharge of an eSIM': `
    Japan eSIM, 3 GB, 30 days from the first use The plan was added to the eSIM that is on the phone already.
    There is nothing to install.
  `,
  'an eSIM without its code': `
    Japan eSIM, unlimited data, 30 days from the first use How to get the activation code It is not in this mail. Corner
    Shop, who placed the order, fetches it with the API: GET /api/v1/esim/orders/17 How to install it
    Connect the phone to Wi-Fi. It must support eSIM and must not be locked to an operator. If you have a link
    for your phone, open it. If it does not start the installation, open the settings. iPhone: Settings >
    Mobile Data (or Cellular) > Add eSIM > Use QR Code > Enter Details Manually. Android: Settings > Network &
    internet > SIMs > Add SIM > Set up an eSIM (Samsung: Settings > Connections > SIM manager > Add eSIM). In
    the settings, choose to enter the details yourself, and type them in. Where you use the eSIM, choose it
    for mobile data and switch data roaming on. The code works once: do not remove the eSIM before it is used
    up.
  `,
  'an eSIM that failed': `
    Japan eSIM, 3 GB, 30 days from the first use The order could not be delivered. The product is out of
    stock. Pick another or try again later. The wallet that paid has been refunded for what was not
    delivered.
  `,
};

/** The words of an HTML part. */
function wordsOf(html: string): string {
  return html
    .replace(/<style>.*?<\/style>|<title>.*?<\/title>|<[^>]+>/gs, ' ')
    .replaceAll('&gt;', '>')
    .replaceAll('&times;', 'x')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();
}

describe.each(mails)('The mail about %s', (what, about, vouchers, subject, text) => {
  test('When its text part is read, then it has exactly this content', async () => {
    const mail = await orderMail(sealer, about, vouchers);
    expect(mail.subject).toBe(subject);
    expect(mail.text.trim()).toBe(`${subject}\n\n${text}\n\n${footer}`);
  });

  test('When its HTML part is read, then it has the same content', async () => {
    const { html } = await orderMail(sealer, about, vouchers);
    expect(wordsOf(html)).toBe(wordsOf(`${subject} ${htmlOf[what]} ${footer.replace('--', '')}`));
  });
});

describe('The mail about a disabled endpoint', () => {
  const disabling = {
    id: 5,
    endpointId: 3,
    nonce: 'abc',
    url: 'https://shop.example/hook?key=value',
    disabledAt: new Date('2026-01-31T12:34:56Z'),
    email: 'ops@shop.example',
  };

  test.each([
    ['FAILING', 'It has not accepted a single event for 5 days.'],
    ['GONE', 'It answered 410 Gone, which says that it does not want events any more.'],
  ] as const)('When it was disabled as %s, then the mail has exactly this content', (reason, why) => {
    const mail = mailAboutDisabling({ ...disabling, reason });
    expect(mail.subject).toBe('Webhook endpoint 3 disabled');
    expect(mail.text)
      .toBe(`Your webhook endpoint 3 (https://shop.example/hook?key=…) was disabled on 2026-01-31T12:34:56.000Z.

${why}

No event is lost: all of them are listed by GET /api/v1/webhooks/events.

When the endpoint works again, enable it with PATCH /api/v1/webhooks/endpoints/3 and {"enabled": true}, then have the events since a date of your choice sent again with POST /api/v1/webhooks/endpoints/3/replay and {"since": "<date and time>"}.
`);
  });
});

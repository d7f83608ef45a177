/** What the descriptions of operations promise to every door that is made from them. */
import { markedCost } from '../../../src/domain/cost-texts';
import { hasUnstorableText } from '../../../src/domain/shown-text';
import { givenIn, jsonOf } from '../../../src/operators/operations/json-arguments';
import { clientName } from '../../../src/operators/operations/names';
import type { Operation } from '../../../src/operators/operations/operation';
import { operations } from '../../../src/operators/operations/operations';
import {
  assertAllowed,
  assertConfirmed,
  NotAllowed,
  SecondFactorNeeded,
  type Caller,
} from '../../../src/operators/server/calls';

test('When operations are described, then no two have one name', () => {
  const names = operations.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('When an argument may hold a recipient, a code or goods, then no log and no audit entry may have it', () => {
  const confidential = operations.flatMap(({ name, arguments: described }) =>
    Object.entries(described)
      .filter(([, { isConfidential }]) => isConfidential)
      .map(([argument]) => `${name}: ${argument}`),
  );
  expect(confidential).toEqual([
    'search: value',
    'orders find: recipient',
    'orders find: voucherCode',
    'orders card: code',
    'orders resolve: goods',
    'claims open: text',
    'privacy erase: recipient',
    'privacy export: recipient',
  ]);
});

test('When an operation may credit a wallet, then it asks for the second factor again', () => {
  const credits = [
    'wallets fund',
    'wallets adjust',
    'wallets reopen',
    'orders cancel',
    'orders refund',
    'refunds import',
    'refunds resume',
    'claims accept',
  ];
  const effects = credits.map((name) => [name, operations.find((one) => one.name === name)?.effect]);
  expect(effects).toEqual(credits.map((name) => [name, 'money']));
});

test('When an operation changes something, then a caller with an old second factor has to give it again, unless it is on the list of harmless ones', () => {
  const url = 'https://ops.example.com/identity/second-factor';
  const caller = { id: '1', name: 'Ann', role: 'admin', door: 'PAGE' } as const;
  const asking = operations.filter((operation) => {
    assertConfirmed(caller, operation);
    try {
      assertConfirmed({ ...caller, confirmationUrl: url }, operation);
      return false;
    } catch (error) {
      expect(error).toEqual(new SecondFactorNeeded(url));
      return true;
    }
  });
  const silent = operations.filter((one) => one.effect !== 'reads' && !asking.includes(one));
  // Strictly: `toEqual` would overlook an operation that gives no reason.
  expect(Object.fromEntries(silent.map(({ name, harmless }) => [name, harmless]))).toStrictEqual({
    'stock refresh': 'It only reads stock from suppliers.',
    'attention take': 'It only says who works on an entry.',
    'attention release': 'It only says that the caller does not work on an entry.',
    'attention note': 'It only adds a note.',
    'attention withdraw-note': 'It only takes back a note of the caller.',
    'claims send': 'It only notes that the supplier was asked.',
    'esims poll': 'It only reads a status from the supplier.',
    'webhooks retry': 'It sends an event again to the endpoint that waits for it.',
    'mail resend': 'It sends a mail again to the address of its order.',
    'sessions end': 'It only takes access, and the person signs in again.',
  });
  expect(asking.filter(({ effect }) => effect === 'reads')).toEqual([]);
});

test('When a change moves no money, then no service account may use it, unless it is on the list of those that give no access', () => {
  const program: Caller = {
    id: '1',
    name: 'job',
    role: 'admin',
    door: 'API',
    operations: operations.map(({ name }) => name),
  };
  const isOpen = (operation: Operation) => {
    try {
      assertAllowed(program, operation);
      return true;
    } catch (error) {
      expect(error).toEqual(
        new NotAllowed(
          `${operation.name} gives access: no service account may use it, because it has no second factor.`,
        ),
      );
      return false;
    }
  };
  const changes = operations.filter(({ effect, harmless }) => effect === 'changes' && harmless === undefined);
  expect(changes.filter(isOpen).map(({ name }) => name)).toEqual([
    'clients suspend',
    'clients close',
    'clients end-sessions',
    'members suspend',
    'members remove',
    'keys revoke',
    'keys revoke-all',
    'wallets open',
    'wallets make-default',
    'wallets close',
    'bank ignore',
    'bank gap accept',
    'funding cancel',
    'blacklist add',
    'blacklist remove',
    'catalogue sync',
    'catalogue map',
    'products stop',
    'products resume',
    'suppliers pause',
    'suppliers resume',
    'suppliers alert',
    'attention settle',
    'orders retry',
    'refunds pause',
    'claims open',
    'claims reject',
    'claims credit',
    'claims days',
    'privacy erase',
    'privacy export',
    'webhooks pause',
    'webhooks resume',
    'webhooks replay',
    'webhooks skip',
    'webhooks enable',
    'webhooks disable',
    'reconcile',
    'reconcile accept',
    'settlements import',
    'books close',
    'maintenance run',
    'maintenance pause',
    'maintenance resume',
    'approvals reject',
    'people withdraw',
    'people suspend',
    'service-accounts revoke',
  ]);
  expect(operations.filter(({ effect }) => effect !== 'changes').filter((one) => !isOpen(one))).toEqual([]);
});

test('When an operation changes something, then it takes a reason, and viewers may not use it', () => {
  const changing = operations.filter(({ effect }) => effect !== 'reads');
  expect(changing.length).toBeGreaterThan(20);
  expect(changing.filter(({ roles }) => roles.includes('viewer'))).toEqual([]);
  expect(changing.filter((one) => !('reason' in one.arguments))).toEqual([]);
});

test('When an operation moves money or changes a price, then it has a preview', () => {
  const money = operations.filter(({ effect }) => effect === 'money');
  expect(money.length).toBeGreaterThan(20);
  expect(money.filter((one) => one.preview === undefined).map(({ name }) => name)).toEqual([]);
});

test('When the command of an operation never asked for a confirmation, then its preview is for pages only', () => {
  expect(operations.filter(({ isUnasked }) => isUnasked).map(({ name }) => name)).toEqual([
    'clients resume',
    'members resume',
    'wallets make-default',
    'wallets reopen',
    'bank ignore',
    'spend-rules set',
    'spend-rules remove',
    'discounts set',
    'discounts clear',
    'blacklist add',
    'blacklist remove',
    'rates set',
    'rates remove',
    'rates refresh',
    'rates reference set',
    'rates reference import',
    'rates reference remove',
    'fees set',
    'margins set',
    'margins clear',
    'catalogue import',
    'catalogue accept',
    'catalogue map',
    'catalogue accept-plan',
    'sources set',
    'suppliers pause',
    'suppliers resume',
    'refunds pause',
    'refunds resume',
    'claims days',
    'webhooks pause',
    'webhooks resume',
    'webhooks enable',
  ]);
});

test('When an operation shows a recipient or who works here, then not every role may use it', () => {
  const hidden = operations.filter(({ effect, roles }) => effect === 'reads' && !roles.includes('viewer'));
  expect(hidden.map(({ name, roles }) => [name, ...roles])).toEqual([
    ['bank check', 'finance', 'admin'],
    ['bank csv-check', 'finance', 'admin'],
    ['bank entries', 'finance', 'admin'],
    ['bank gaps', 'finance', 'admin'],
    ['orders card', 'support', 'admin'],
    ['orders reveal', 'support', 'admin'],
    ['people list', 'admin'],
    ['sessions list', 'admin'],
    ['service-accounts list', 'admin'],
  ]);
});

const hidden = [
  'a\nb',
  'a\r\nBcc: eve@shop.example',
  'a\u001b[2Jb',
  'a\u009bb',
  'a\u202eb',
  'a\u2066b',
  'a\u2028b',
  'a\u200bb',
];

test('When an operation changes something, then a text that is no single visible line is rejected, unless it is a lookup or a text of its own', () => {
  const accepting = operations
    .filter(({ effect }) => effect !== 'reads')
    .flatMap(({ name, arguments: described }) =>
      Object.entries(described)
        .filter(([, { kind, read, repeats }]) => {
          const accepts = (text: string) => {
            try {
              return read(repeats ? [text] : text) !== undefined;
            } catch {
              return false;
            }
          };
          return kind !== undefined && hidden.some(accepts);
        })
        .map(([argument]) => `${name}: ${argument}`),
    );
  const lookups = ['client', 'apiKey', 'supplier', 'session', 'operations'];
  expect(accepting.filter((one) => !['reason', ...lookups].includes(one.split(': ')[1] ?? ''))).toEqual([
    // Texts.
    'wallets fund: reference',
    'wallets fund: remarks',
    'wallets adjust: reference',
    'wallets adjust: remarks',
    // Lookups.
    'products stop: subcategory',
    'suppliers pause: name',
    'suppliers resume: name',
    'suppliers alert: name',
    // Texts, and a lookup.
    'attention note: text',
    'orders refund: note',
    'orders refund: reference',
    'claims open: text',
    'reconcile accept: reference',
  ]);
});

test.each(hidden)('When an account gets the name %j, then it is rejected with its hidden character', (name) =>
  expect(() => clientName.read(name)).toThrow(/^Give one line of text, without the character U\+[0-9A-F]{4}\.$/),
);

const described = Object.assign(
  {},
  ...operations.map((one) => one.arguments),
) as (typeof operations)[number]['arguments'];

test.each([
  [{ name: 'a\0b' }, 'name: remove the character U+0000, which cannot be stored.'],
  [{ note: 'a\ud800b' }, 'note: remove the character U+D800, which cannot be stored.'],
  [{ note: `a ${markedCost('b')}` }, 'note: remove the character U+E000, which cannot be stored.'],
  [{ reference: ['a', 'b\udc00'] }, 'reference: remove the character U+DC00, which cannot be stored.'],
  [{ file: { name: 'a\0.csv', text: '' } }, 'file: remove the character U+0000, which cannot be stored.'],
  [{ file: { name: 'a', text: 'a\ud800b' } }, 'file: remove the character U+D800, which cannot be stored.'],
  [{ file: { name: 'a', base64: 'Y*==' } }, 'file: base64 is not valid.'],
  [{ file: { name: 'a', base64: 'YQ' } }, 'file: base64 is not valid.'],
  [{ file: { name: 'a' } }, 'file: give a file as its name and either base64 or text.'],
  [{ file: { name: 'a', base64: '', text: '' } }, 'file: give a file as its name and either base64 or text.'],
])('When an operator sends %j, then it is rejected before an operation begins', (body, message) =>
  expect(() => givenIn(described, body)).toThrow(message),
);

test('When a file comes as its text or in base64, then the operation gets the same bytes, and a program sends base64', () => {
  const bytes = Buffer.from('sku\n\u20ac');
  const base64 = { name: 'a.csv', base64: bytes.toString('base64') };
  for (const file of [base64, { name: 'a.csv', text: bytes.toString() }]) {
    const given = givenIn(described, { file });
    expect(given).toMatchObject({ file: { name: 'a.csv' } });
    expect(jsonOf(given)).toEqual({ file: base64 });
  }
});

test('When a value is nested deeply, then its unstorable text is found', () => {
  let value: unknown = 'a\ud800';
  for (let depth = 0; depth < 100_000; depth++) value = depth % 2 ? [value] : { value };
  expect(hasUnstorableText(value)).toBe(true);
  expect(hasUnstorableText({ 'a\0': 1 })).toBe(true);
  expect(hasUnstorableText({ text: markedCost('a') })).toBe(true);
  expect(hasUnstorableText({ text: 'the end of a cost\uE001' })).toBe(true);
  expect(hasUnstorableText({ text: ['💫', 1, null, true] })).toBe(false);
});

import fc from 'fast-check';
import {
  comparableMailbox,
  comparablePhone,
  repeatsInput,
  topupInput,
  type InputField,
} from '../../src/domain/orders/customer-input';

const field = (
  field_name: string,
  field_type: InputField['field_type'],
  special: Partial<InputField> = {},
): InputField => ({ field_name, field_type, field_label: field_name, is_required: true, ...special });

const phone = field('phone', 'phone');
const optionalNote = field('note', 'text', { is_required: false });
const server = field('server', 'select', {
  options: [
    { value: 'eu', label: 'Europe' },
    { value: 'us', label: 'America' },
  ],
});

function faultOf(fields: InputField[], given: Record<string, unknown>): string {
  try {
    return `none: ${JSON.stringify(topupInput(fields, given))}`;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('keys', () => {
  test.each([
    [{}, 'Missing input field: phone'],
    [{ phone: '' }, 'Missing input field: phone'],
    [{ phone: '   ' }, 'Missing input field: phone'],
    [{ phone: null }, 'Missing input field: phone'],
    [{ phone: '12025550100', foo: 1 }, 'Unknown input field: foo'],
    [{ Phone: '12025550100' }, 'Unknown input field: Phone'],
    [JSON.parse('{"__proto__": "x", "phone": "1234"}'), 'Unknown input field: __proto__'],
  ])('When the input is %j, then the rejection names the field', (given, message) => {
    expect(faultOf([phone, optionalNote], given as Record<string, unknown>)).toBe(message);
  });

  test('When an unknown key is long, then the message truncates it', () => {
    expect(faultOf([], { ['x'.repeat(5000)]: 1 })).toBe(`Unknown input field: ${'x'.repeat(64)}`);
  });

  test('When an optional field is missing or empty, then it is left out', () => {
    for (const given of [{}, { note: '' }, { note: null }]) {
      expect(topupInput([optionalNote], given)).toEqual({});
    }
  });

  test('When a product has no fields, then no input is accepted', () => {
    expect(topupInput([], {})).toEqual({});
    expect(faultOf([], { phone: '1' })).toBe('Unknown input field: phone');
  });
});

describe('phone', () => {
  test.each([
    ['12025550100', '+12025550100'],
    ['+12025550100', '+12025550100'],
    ['0012025550100', '+12025550100'],
    ['+1 (202) 555-0100', '+12025550100'],
    ['+44 (0)7911 123456', '+447911123456'],
    ['+4407911123456', '+447911123456'],
    ['+43009273', '+439273'],
    ['+39 (0)6 1234 5678', '+390612345678'],
    ['+39 (0)347 123 4567', '+393471234567'],
    ['+225 07 01 02 03 04', '+2250701020304'],
    ['\u202a+1\u00a0202\u2011555\u20110100\u202c', '+12025550100'],
    ['\u200e\ufeff+12025550100\u2069', '+12025550100'],
    ['+1.202.555.0100', '+12025550100'],
    ['+247 40123', '+24740123'],
    ['+290 8123', '+2908123'],
    ['+383 44 1234567', '+383441234567'],
    ['+882 16 1234567', '+882161234567'],
  ])('When a phone number is %j, then it becomes %j', (given, normalised) => {
    expect(topupInput([phone], { phone: given })).toEqual({ phone: normalised });
  });

  test.each([
    '123',
    '1234',
    '123456789012345',
    '1234567890123456',
    '+628123456789.0',
    '+628123456789.00 ',
    '+6281234567890000',
    '+999123456789',
    '+1 202 555 0100 ext 5',
    '+1202555CALL',
    'abcd',
    '12a45',
    '++12345',
    '+',
    '1234;5',
  ])('When a phone number is %j, then it is rejected', (given) => {
    const message = 'Invalid input field: phone (must be a phone number with its country code)';
    expect(faultOf([phone], { phone: given })).toBe(message);
  });

  test.each([12025550100, 1.2, true, {}, ['1234']])(
    'When a phone number is %j, then the rejection says that it must be text',
    (given) => expect(faultOf([phone], { phone: given })).toBe('Invalid input field: phone (must be text)'),
  );

  test('When a phone number is accepted, then its normal form is its own normal form', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[1-9][0-9]{3,14}$/), (digits) => {
        const number = comparablePhone(digits);
        return number === undefined || comparablePhone(number) === number;
      }),
    );
  });

  test('When a phone number has an invisible character, then its pattern is matched without that character', () => {
    const german = field('phone', 'phone', { validation_regex: '^\\+49[0-9]{6,11}$' });
    expect(topupInput([german], { phone: '\u202a+4915123456789\u202c' })).toEqual({ phone: '+4915123456789' });
  });
});

describe('number', () => {
  const zone = field('zone', 'number');

  test.each([2001, 0, -1.5, '2001', '-1.5', '.5', '5.', '1e3', '007'])(
    'When a number is %j, then it is kept',
    (given) => {
      expect(topupInput([zone], { zone: given })).toEqual({ zone: given });
    },
  );

  test.each(['abc', '1,5', '0x10', '1e999', 'Infinity', 'NaN', '1 2', true, {}, [1]])(
    'When a number is %j, then it is rejected',
    (given) => expect(faultOf([zone], { zone: given })).toBe('Invalid input field: zone (must be a number)'),
  );
});

describe('phone numbers beyond E.164', () => {
  const phone = field('phone', 'phone');

  test.each(['+0123456', '0712345678', '000123456', '+1234567890123456', '1234567890123456', '+123'])(
    'When a phone number is %s, then it is rejected',
    (given) => {
      const fault = 'Invalid input field: phone (must be a phone number with its country code)';
      expect(faultOf([phone], { phone: given })).toBe(fault);
    },
  );

  test('When a phone number is valid, then it is normalised', () => {
    expect(topupInput([phone], { phone: '0044 20 7946 0000' })).toEqual({ phone: '+442079460000' });
  });
});

describe('select and text', () => {
  test('When the option exists, then it is accepted, otherwise rejected', () => {
    expect(topupInput([server], { server: 'eu' })).toEqual({ server: 'eu' });
    for (const given of ['EU', 'Europe', 'asia', 1, {}]) {
      expect(faultOf([server], { server: given })).toBe('Invalid input field: server (must be one of eu, us)');
    }
  });

  test('When text has another type or is too long, then it is rejected', () => {
    const name = field('name', 'text');
    expect(topupInput([name], { name: ' Ån 💫 ' })).toEqual({ name: ' Ån 💫 ' });
    expect(faultOf([name], { name: 5 })).toBe('Invalid input field: name (must be text)');
    expect(faultOf([name], { name: 'x'.repeat(501) })).toBe('Invalid input field: name (longer than 500 characters)');
  });
});

describe('pattern', () => {
  const player = field('player', 'text', { validation_regex: '^[0-9]{8}$' });

  test('When the value does not match, then it is rejected', () => {
    expect(topupInput([player], { player: '12345678' })).toEqual({ player: '12345678' });
    for (const given of ['1234567', '12345678 ', 'abcdefgh']) {
      const message = 'Invalid input field: player (not of the expected format)';
      expect(faultOf([player], { player: given })).toBe(message);
    }
  });

  test('When a phone number has a pattern, then the text must match as it was entered', () => {
    const indian = field('phone', 'phone', { validation_regex: '^91[6-9][0-9]{9}$' });
    expect(topupInput([indian], { phone: '919876543210' })).toEqual({ phone: '+919876543210' });
    expect(faultOf([indian], { phone: '12025550100' })).toContain('not of the expected format');
  });
});

test.each([
  ['P00012025550100abcd', { phone_number: '+12025550100' }, true],
  ['P-2025550100', { phone_number: '+12025550100' }, true],
  ['1 (202) 555-0100', { phone_number: '+12025550100' }, true],
  ['P0012025550199', { phone_number: '+12025550100' }, false],
  ['p-ann.miller', { player: 'Ann Miller' }, true],
  ['P1234567', { account: 1234567 }, true],
  ['P12345', { account: 12345 }, false],
  ['P0123456789abcdef01', {}, false],
])('When an id is %s and the input is %j, then repetition is reported as %s', (id, input, repeats) => {
  expect(repeatsInput(id, input)).toBe(repeats);
});

test.each([
  ['Ann.Lee@Example.com', 'ann.lee@example.com', 'annlee@example.com'],
  ['ann+shop+2@example.com', 'ann@example.com', 'ann@example.com'],
  ['"ann"@example.com', 'ann@example.com', 'ann@example.com'],
  ['"ann+x"@example.com', 'ann@example.com', 'ann@example.com'],
  ['"a\\"b"@example.com', 'a"b@example.com', 'a"b@example.com'],
  ['+ann@example.com', '+ann@example.com', '+ann@example.com'],
  ['ann@bücher.example', 'ann@xn--bcher-kva.example', 'ann@xn--bcher-kva.example'],
])('When the mailbox of %s is compared, then it is %s, without dots %s', (email, plain, undotted) => {
  expect(comparableMailbox(email, { dotsMatter: true })).toBe(plain);
  expect(comparableMailbox(email, { dotsMatter: false })).toBe(undotted);
});

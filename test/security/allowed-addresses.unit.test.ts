import { isCidr, isAllowedAddress, withoutPort } from '../../src/domain/clients/networks';

test.each([
  ['203.0.113.7:49152', '203.0.113.7'],
  [' 203.0.113.7:1 ', '203.0.113.7'],
  ['[2001:db8::7]:49152', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['[::ffff:203.0.113.7]:80', '::ffff:203.0.113.7'],
  ['2001:db8::7', '2001:db8::7'],
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:', '203.0.113.7:'],
  ['203.0.113.7:80:80', '203.0.113.7:80:80'],
  ['unknown', 'unknown'],
])('When a proxy writes %j, then the address is %j', (text, address) => expect(withoutPort(text)).toBe(address));

describe('allowed addresses', () => {
  test('When the list is empty, then every address can order', () => {
    expect(isAllowedAddress('198.51.100.7', [])).toBe(true);
    expect(isAllowedAddress(undefined, [])).toBe(true);
  });

  test.each([
    ['10.1.2.3', ['10.0.0.0/8'], true],
    ['11.1.2.3', ['10.0.0.0/8'], false],
    ['10.1.2.3', ['192.0.2.0/24', '10.1.2.3/32'], true],
    ['10.1.2.4', ['10.1.2.3/32'], false],
    ['::ffff:10.1.2.3', ['10.0.0.0/8'], true],
    ['::ffff:a01:203', ['10.0.0.0/8'], true],
    ['10.1.2.3', ['::ffff:10.0.0.0/104'], true],
    ['11.1.2.3', ['::ffff:10.0.0.0/104'], false],
    ['2001:db8::1', ['2001:db8::/32'], true],
    ['2001:db9::1', ['2001:db8::/32'], false],
    ['10.1.2.3', ['2001:db8::/32', '::/0'], false],
    ['2001:db8::1', ['0.0.0.0/0'], false],
    ['198.51.100.7', ['0.0.0.0/0'], true],
  ])('When %s is looked up in %j, then the result is %s', (address, cidrs, expected) => {
    expect(isAllowedAddress(address, cidrs)).toBe(expected);
  });

  test('When the address or an entry of the list cannot be read, then it matches nothing', () => {
    expect(isAllowedAddress(undefined, ['0.0.0.0/0'])).toBe(false);
    expect(isAllowedAddress('nonsense', ['0.0.0.0/0'])).toBe(false);
    expect(isAllowedAddress('10.1.2.3', ['10.0.0.0', '10.0.0.0/40', 'nonsense'])).toBe(false);
    expect(isAllowedAddress('10.1.2.3', ['nonsense', '10.0.0.0/8'])).toBe(true);
  });

  test('When an operator sets a list, then only CIDRs count as entries', () => {
    expect(['10.0.0.0/8', '2001:db8::/32'].every(isCidr)).toBe(true);
    const others = [
      '10.0.0.0',
      '10.0.0.0/33',
      '10.0.0.0/08',
      '2001:db8::/129',
      '',
      'all',
      '10/8',
      '0x0a.0.0.0/8',
      '010.0.0.0/8',
    ];
    expect([...others, 'fe80::1%eth0/64', '10.0.0.0/8 ', '10.0.0.0/08x'].filter(isCidr)).toEqual([]);
  });
});

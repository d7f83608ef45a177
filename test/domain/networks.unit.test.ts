import { isOpenToAll } from '../../src/domain/clients/networks';

test.each([
  ['0.0.0.0/0', true],
  ['::/0', true],
  // Contains ::ffff:0:0/96, which is every IPv4 address.
  ['::ffff:0:0/90', true],
  ['::ffff:198.51.100.0/120', false],
  ['198.51.100.0/24', false],
  // As long as the prefix of IPv4 addresses, and none of them.
  ['2001:db8::/100', false],
  ['not a network', false],
])('When the network is %s, then whether it is open to all is %s', (cidr, isOpen) => {
  expect(isOpenToAll(cidr)).toBe(isOpen);
});

import { isOpenToAll } from '../../src/domain/clients/networks';

// ::ffff:0:0/90 contains ::ffff:0:0/96, which is every IPv4 address.
test.each(['0.0.0.0/0', '::/0', '::ffff:0:0/90'])('When the network is %s, then it is open to all', (cidr) => {
  expect(isOpenToAll(cidr)).toBe(true);
});

test.each([
  '::ffff:198.51.100.0/120',
  '198.51.100.0/24',
  // As long as the prefix of IPv4 addresses, and none of them.
  '2001:db8::/100',
  'not a network',
])('When the network is %s, then it is not open to all', (cidr) => {
  expect(isOpenToAll(cidr)).toBe(false);
});

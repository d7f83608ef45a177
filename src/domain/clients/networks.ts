/** Addresses and networks as people write them into settings and lists. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An IPv6 customer has a network of so many bits. */
const IPV6_NETWORK_BITS = 64;

/** Whose address it is: the IPv4 address, or the /64 network of an IPv6 address, because its owner has all of it. */
export function networkOf(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address).toString();
  if (ipaddr.IPv4.isValid(parsed)) return parsed;
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/${IPV6_NETWORK_BITS}`).toString();
}

/** Whether the text is an IPv4 or IPv6 address, written in full and without a zone. */
export function isAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes('%') && ipaddr.isValid(text);
}

/**
 * Whether the text is a CIDR, such as `10.0.0.0/8` or `2001:db8::/32`. Nothing is guessed: the library alone would
 * read `10/8` as `0.0.0.10/8`.
 */
export function isCidr(text: string): boolean {
  return isAddress(text.slice(0, text.lastIndexOf('/'))) && ipaddr.isValidCIDR(text);
}

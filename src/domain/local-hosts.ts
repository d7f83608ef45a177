/**
 * Hosts of URLs that lead to this machine or to a private network, as far as a host says so without a look-up.
 * Rule: which hosts are of this machine or a private network
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The IP address in a URL's host (WHATWG URL), without the brackets of IPv6; undefined for a name. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) === 0 ? undefined : bare;
}

/** `localhost` and names below it are loopback everywhere, RFC 6761, section 6.3. */
export function isLoopbackName(hostname: string): boolean {
  return /(^|\.)localhost\.?$/i.test(hostname);
}

const localRanges: readonly string[] = [
  'unspecified',
  'loopback',
  'private',
  'linkLocal',
  'uniqueLocal',
  'carrierGradeNat',
];

/** Whether the host of a URL is `localhost`, or an address of this machine or of a private network. IPv4-mapped IPv6 counts as IPv4. */
export function isLocalHost(hostname: string): boolean {
  const address = literalAddress(hostname);
  return address === undefined ? isLoopbackName(hostname) : localRanges.includes(ipaddr.process(address).range());
}

/** The list of addresses a client may order from. docs/specification.md#authentication. */
import ipaddr from 'ipaddr.js';
import { isCidr } from '../domain/clients/networks';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Bits an IPv4 address is preceded by when it is written as IPv6. */
const MAPPED_PREFIX_BITS = 96;

/**
 * Whether the address lies in one of the CIDRs; an empty list allows every address. IPv4 written as
 * IPv6 (`::ffff:10.0.0.1`) is IPv4, in the address and in the list. What cannot be read matches nothing.
 */
export function isAllowedAddress(address: string | undefined, cidrs: readonly string[]): boolean {
  if (cidrs.length === 0) return true;
  if (address === undefined || !ipaddr.isValid(address)) return false;
  const caller = ipaddr.process(address);
  return cidrs.filter(isCidr).some((cidr) => {
    const [network, bits] = asIpv4(ipaddr.parseCIDR(cidr));
    return caller.kind() === network.kind() && caller.match(network, bits);
  });
}

function asIpv4(range: Range): Range {
  const [network, bits] = range;
  return network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= MAPPED_PREFIX_BITS
    ? [network.toIPv4Address(), bits - MAPPED_PREFIX_BITS]
    : range;
}

/**
 * IP addresses and networks in settings and lists.
 * Rule: from which addresses a client may call
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Internet providers usually assign an IPv6 network of this prefix length to one customer. */
const IPV6_NETWORK_BITS = 64;

/** The IPv4 address, or the /64 network of an IPv6 address: one customer may use every address of that network. */
export function networkOf(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address).toString();
  if (ipaddr.IPv4.isValid(parsed)) return parsed;
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/${IPV6_NETWORK_BITS}`).toString();
}

/** The bits of the network of a provider or an office. */
const SITE_BITS = { ipv4: 24, ipv6: 48 };

/** The /24 or /48 network of an address, as a CIDR; undefined without a readable address. */
export function siteNetworkOf(address: string | null): string | undefined {
  if (address === null || !ipaddr.isValid(address)) return undefined;
  const parsed = ipaddr.process(address);
  return canonicalCidr(`${parsed.toString()}/${SITE_BITS[parsed.kind()]}`);
}

/**
 * The one spelling of a network: `203.0.113.0/24` for `203.0.113.7/24`, `2001:db8::/32` for `2001:DB8::/32`. IPv4 written as IPv6 is IPv4.
 * Unreadable text stays as it is.
 */
export function canonicalCidr(cidr: string): string {
  if (!isCidr(cidr)) return cidr;
  const [address, bits] = asIpv4(ipaddr.parseCIDR(cidr));
  const library = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${library.networkAddressFromCIDR(`${address.toString()}/${bits}`).toString()}/${bits}`;
}

/**
 * The address without the port that some proxies append (`192.0.2.7:49152`, `[2001:db8::7]:49152`), and without the brackets of an
 * IPv6 address. Other text stays as it is.
 */
export function withoutPort(text: string): string {
  const [, inBrackets, ipv4] =
    /^(?:\[([0-9a-f:.]+)\]|(\d{1,3}(?:\.\d{1,3}){3}))(?::\d{1,5})?$/i.exec(text.trim()) ?? [];
  return inBrackets ?? ipv4 ?? text;
}

/** Whether the text is an IPv4 or IPv6 address, written in full and without a zone. */
export function isAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes('%') && ipaddr.isValid(text);
}

/** Whether the text is a full CIDR, such as `10.0.0.0/8`. The library alone would read `10/8` as `0.0.0.10/8`, and `/08` as `/8`. */
export function isCidr(text: string): boolean {
  return isAddress(text.slice(0, text.lastIndexOf('/'))) && ipaddr.isValidCIDR(text) && !/\/0\d/.test(text);
}

/** The network of one address, such as `203.0.113.7/32`; other text as it is. */
export function cidrOf(text: string): string {
  return isAddress(text) ? `${text}/${isIP(text) === 4 ? 32 : 128}` : text;
}

type Cidr = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Bits that precede an IPv4 address when it is written as IPv6. */
const MAPPED_PREFIX_BITS = 96;

/**
 * Whether the address lies in one of the CIDRs; an empty list allows every address. IPv4 written as
 * IPv6 (`::ffff:10.0.0.1`) is IPv4, in the address and in the list. Unreadable text matches nothing.
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

/** The largest networks that may belong to one organisation, in bits of their prefixes: 10.0.0.0/8 and fc00::/7. */
const WIDEST_BITS = { ipv4: 8, ipv6: 7 };

/** Whether the CIDR contains addresses of strangers, such as `0.0.0.0/0` or `::/0`. */
export function isOpenToAll(cidr: string): boolean {
  if (!isCidr(cidr)) return false;
  const [network, bits] = asIpv4(ipaddr.parseCIDR(cidr));
  // A network around ::ffff:0:0/96 contains every IPv4 address.
  const mapped = ipaddr.parse('::ffff:0:0');
  const hasIpv4 = network instanceof ipaddr.IPv6 && mapped instanceof ipaddr.IPv6 && mapped.match(network, bits);
  return hasIpv4 || bits < WIDEST_BITS[network.kind()];
}

function asIpv4(cidr: Cidr): Cidr {
  const [network, bits] = cidr;
  return network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= MAPPED_PREFIX_BITS
    ? [network.toIPv4Address(), bits - MAPPED_PREFIX_BITS]
    : cidr;
}

/** Which addresses webhooks may be sent to. docs/decisions/0011-run-one-workflow-for-each-endpoint.md. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface AddressRules {
  /** For sandboxes on a developer's machine; production refuses the setting. */
  allowLoopback: boolean;
}

/** Globally routed IPv6 addresses lie in here, RFC 4291; everything else is somebody's own. */
const globalUnicast = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

/** Public by its number, but the host's own service to virtual machines in Azure: DNS, DHCP and the agent's secrets. */
const azureHost = '168.63.129.16';

/**
 * Whether a webhook may be sent to the address: public unicast, or loopback where that is allowed. IPv4
 * written as IPv6 is judged as IPv4; other ways to carry IPv4 in IPv6 (NAT64, 6to4, Teredo) are refused.
 * What cannot be read is refused.
 */
export function isAllowedTarget(address: string | undefined, { allowLoopback }: AddressRules): boolean {
  if (address === undefined || isIP(address) === 0) return false;
  const target = ipaddr.process(address);
  if (target.range() === 'loopback') return allowLoopback;
  if (target.range() !== 'unicast' || target.toString() === azureHost) return false;
  return target instanceof ipaddr.IPv4 || target.match(globalUnicast);
}

/** The IP address that a URL's host is, without the brackets of IPv6; undefined if it is a name. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) === 0 ? undefined : bare;
}

/** `localhost` and names below it are loopback wherever they are asked for, RFC 6761, section 6.3. */
export function isLoopbackName(hostname: string): boolean {
  return /(^|\.)localhost\.?$/i.test(hostname);
}

/** Longer ones are refused by common servers. */
const MAX_URL_LENGTH = 2_048;

/** The URL as it is stored and shown: what is asked for, however it was typed (WHATWG URL, `href`). */
export function normalUrl(text: string): string {
  return new URL(text).href;
}

/**
 * What is wrong with a URL that a client wants its webhooks sent to, as the client is told; undefined if
 * nothing is. Names are judged when the connection is made.
 */
export function urlProblem(text: string, rules: AddressRules & { httpsOnly: boolean }): string | undefined {
  if (text.length > MAX_URL_LENGTH) return `url is too long (max ${MAX_URL_LENGTH} characters)`;
  if (!/^[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) return 'url is invalid';
  if (normalUrl(text).length > MAX_URL_LENGTH) return `url is too long (max ${MAX_URL_LENGTH} characters)`;
  const { protocol, username, password, hostname } = new URL(text);
  if (rules.httpsOnly && protocol !== 'https:') return 'url must begin with https://';
  if (protocol !== 'http:' && protocol !== 'https:') return 'url must begin with https:// or http://';
  if (username !== '' || password !== '') return 'url must not contain credentials';
  const literal = literalAddress(hostname);
  const refused =
    literal === undefined
      ? isLoopbackName(hostname) && !rules.allowLoopback
      : !isAllowedTarget(literal, rules);
  return refused ? 'url must lead to a public address' : undefined;
}

/**
 * The addresses that webhooks may be sent to, and connections to those alone. A URL is checked when it is stored, and again when a
 * socket is created, so that no redirect, DNS answer or kept-alive connection bypasses the rules.
 * docs/decisions/0011-run-one-workflow-for-each-endpoint.md.
 */
import { promises as dns } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici';
import { isLoopbackName, literalAddress } from '../../domain/local-hosts';

export interface AddressRules {
  /** For sandboxes on a developer's machine; production rejects the setting. */
  allowLoopback: boolean;
}

/** Globally routed IPv6 addresses, RFC 4291. All others are private or reserved. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Rejected although it is public: through it, virtual machines in Azure reach services and secrets of their host. */
const azureHost = '168.63.129.16';

/**
 * Whether a webhook may be sent to the address: public unicast, or loopback where that is allowed. IPv4-mapped IPv6
 * counts as IPv4. Other ways to carry IPv4 in IPv6 (NAT64, 6to4, Teredo) and unreadable texts are rejected.
 */
export function isAllowedTarget(address: string | undefined, { allowLoopback }: AddressRules): boolean {
  if (address === undefined || isIP(address) === 0) return false;
  const target = ipaddr.process(address);
  if (target.range() === 'loopback') return allowLoopback;
  if (target.range() !== 'unicast' || target.toString() === azureHost) return false;
  return target instanceof ipaddr.IPv4 || target.match(globalUnicast);
}

/** Common servers reject longer URLs. */
const MAX_URL_LENGTH = 2_048;

/** The URL as it is stored, shown and requested (WHATWG URL, `href`). */
export function normalUrl(text: string): string {
  return new URL(text).href;
}

/** The error message for a webhook URL that cannot be accepted; undefined for a valid one. Resolves no names. */
export function urlProblem(text: string, rules: AddressRules & { httpsOnly: boolean }): string | undefined {
  if (text.length > MAX_URL_LENGTH) return `url is too long (max ${MAX_URL_LENGTH} characters)`;
  if (!/^[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) return 'url is invalid';
  if (normalUrl(text).length > MAX_URL_LENGTH) return `url is too long (max ${MAX_URL_LENGTH} characters)`;
  const { protocol, username, password, hostname } = new URL(text);
  if (rules.httpsOnly && protocol !== 'https:') return 'url must begin with https://';
  if (protocol !== 'http:' && protocol !== 'https:') return 'url must begin with https:// or http://';
  if (username !== '' || password !== '') return 'url must not contain credentials';
  const literal = literalAddress(hostname);
  const isForbidden =
    literal === undefined ? isLoopbackName(hostname) && !rules.allowLoopback : !isAllowedTarget(literal, rules);
  return isForbidden ? 'url must lead to a public address' : undefined;
}

/** Limit for a connection, including name resolution and TLS. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Returns every address of a name. */
export type ResolveName = (name: string) => Promise<string[]>;

/** Webhooks may not be sent to the address. */
class AddressRejected extends Error {
  override readonly name = 'AddressRejected';
  constructor() {
    super('address not allowed');
  }
}

/** A connector for undici that rejects every address that the rules do not allow. `tls`: what differs from the defaults of Node. */
export function guardedConnector(
  rules: AddressRules,
  resolveName: ResolveName = resolveByDns(),
  tls: Pick<ConnectionOptions, 'ca'> = {},
): buildConnector.connector {
  const lookup = allowedLookup(rules, resolveName);
  const connect = buildConnector({ ...tls, timeout: CONNECT_TIMEOUT_MS, lookup });
  return (options, callback) => {
    // Node calls `lookup` only for names, so an address in the URL is checked here.
    const literal = literalAddress(options.hostname);
    if (literal !== undefined && !isAllowedTarget(literal, rules)) return callback(new AddressRejected(), null);
    connect(options, (error, socket) => {
      if (error) return callback(error, null);
      if (isAllowedTarget(socket.remoteAddress, rules)) return callback(null, socket);
      socket.destroy();
      callback(new AddressRejected(), null);
    });
  };
}

/** A lookup that hides every address that the rules do not allow, so that no packet goes there. */
function allowedLookup(rules: AddressRules, resolveName: ResolveName): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname).then(
      (addresses) => {
        const allowed = addresses
          .filter((address) => isAllowedTarget(address, rules))
          .map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
        const [first] = allowed;
        if (!first) callback(new AddressRejected(), []);
        else if (options.all) callback(null, allowed);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

/**
 * Queries DNS itself. The system's lookup would occupy one of the process's few threads, which a client's silent name
 * server could block for everyone else.
 */
function resolveByDns(): ResolveName {
  const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 });
  return async (name) => {
    if (isLoopbackName(name)) return ['127.0.0.1', '::1'];
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
    return [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}

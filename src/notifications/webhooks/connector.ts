/**
 * Connections to addresses that webhooks may be sent to, and to no others. The rules are held where a
 * socket comes into being, so no URL, redirect, DNS answer or kept-alive connection gets around them.
 */
import { promises as dns } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isAllowedTarget, isLoopbackName, literalAddress, type AddressRules } from './addresses';

/** A connection is made within this time, name look-up and TLS included. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Every address of a name. */
export type ResolveName = (name: string) => Promise<string[]>;

/** The address of a webhook is not one that webhooks may be sent to. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  constructor() {
    super('address not allowed');
  }
}

/** A connector for undici that refuses every address the rules do not allow. */
export function guardedConnector(
  rules: AddressRules,
  resolveName: ResolveName = resolveByDns(),
): buildConnector.connector {
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup: allowedLookup(rules, resolveName) });
  return (options, callback) => {
    // Node looks only names up: an address in the URL is judged here.
    const literal = literalAddress(options.hostname);
    if (literal !== undefined && !isAllowedTarget(literal, rules))
      return callback(new AddressRefused(), null);
    connect(options, (error, socket) => {
      if (error) return callback(error, null);
      if (isAllowedTarget(socket.remoteAddress, rules)) return callback(null, socket);
      socket.destroy();
      callback(new AddressRefused(), null);
    });
  };
}

/** A look-up that hides every address the rules do not allow, so that no packet goes there. */
function allowedLookup(rules: AddressRules, resolveName: ResolveName): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname).then(
      (addresses) => {
        const allowed = addresses.filter((address) => isAllowedTarget(address, rules));
        const answers = allowed.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
        const [first] = answers;
        if (!first) callback(new AddressRefused(), []);
        else if (options.all) callback(null, answers);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

/**
 * Asks DNS itself. The system's look-up would do so on one of the process's few threads, which a client's
 * silent name server could hold up for everybody.
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

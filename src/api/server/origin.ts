/** The address at which a caller reaches the service. */
import type { Request } from 'express';

/** Names and addresses of hosts. Any other value of `Host` could bring markup into a page. */
const host = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i;

/**
 * The scheme and host of the request, such as `https://api.example.com`; undefined if `Host` names no host. Behind a proxy they are
 * those of the caller if the proxy is trusted.
 */
export function originOf(request: Request): string | undefined {
  // Requests of HTTP/1.0 may have no `Host`.
  const name = (request.host as string | undefined) ?? '';
  return host.test(name) ? `${request.protocol}://${name}` : undefined;
}

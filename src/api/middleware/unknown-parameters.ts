/** Tells developers, in the sandbox, of misspelt names: every operation ignores query parameters and keys of bodies that do not exist. */
import type { Request, RequestHandler } from 'express';
import { storableText } from '../../domain/shown-text';
import { isObject } from '../../domain/unknown-values';
import type { ApiOperation } from '../openapi/operation';
import { keyNames } from '../shared/validation';

/** More names, or longer ones, would tell no more. */
const MAX_NAMES = 10;
const MAX_LENGTH = 64;

/**
 * Lists the ignored query parameters and keys of the body in the header `Unknown-Parameters`, separated by commas and encoded as in a
 * URL.
 */
export function nameUnknownParameters({ query, body }: Pick<ApiOperation, 'query' | 'body'>): RequestHandler {
  const parameters = query ? keyNames(query) : [];
  const keys = body && keyNames(body.schema);
  return (request, response, next) => {
    const unknown = [
      ...Object.keys(request.query).filter((name) => !parameters.includes(name)),
      ...(keys ? bodyKeys(request).filter((name) => !keys.includes(name)) : []),
    ];
    if (unknown.length > 0) response.set('Unknown-Parameters', unknown.slice(0, MAX_NAMES).map(encoded).join(', '));
    next();
  };
}

const encoded = (name: string) => encodeURIComponent(storableText(name.slice(0, MAX_LENGTH)));

/** The keys of a body that could be read. */
function bodyKeys({ body }: Request): string[] {
  return isObject(body) && !(body instanceof Error) ? Object.keys(body) : [];
}

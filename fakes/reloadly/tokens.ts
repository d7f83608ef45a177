/** The access tokens. Each is valid for one product and for a limited time. */
import { randomBytes } from 'node:crypto';
import express, { Router, type Request, type RequestHandler } from 'express';
import type { FakeSettings } from '../kit/fake';
import { credentialsOf, memberOf } from '../kit/requests';
import { answerErrors, ApiError, apiError, unknownPath } from './errors';

export type Product = 'giftcards' | 'topups' | 'utilities';

/** The sandbox URL of each product. Live URLs are wrong audiences, because they belong to other credentials. */
const sandboxUrls: Readonly<Record<Product, string>> = {
  giftcards: 'https://giftcards-sandbox.reloadly.com',
  topups: 'https://topups-sandbox.reloadly.com',
  utilities: 'https://utilities-sandbox.reloadly.com',
};
const products: readonly Product[] = ['giftcards', 'topups', 'utilities'];

const mediaTypes: Readonly<Record<Product, readonly string[]>> = {
  giftcards: ['application/com.reloadly.giftcards-v1+json', 'application/com.reloadly.giftcards-v2+json'],
  topups: ['application/com.reloadly.topups-v1+json'],
  utilities: ['application/com.reloadly.utilities-v1+json'],
};

/** The life of a token. Sources disagree about it. */
const lifeSeconds = 3_600;

interface Issued {
  product: Product;
  expiresAt: number;
}

/** The issued tokens. A new token leaves older ones valid. */
export class Tokens {
  private readonly issued = new Map<string, Issued>();

  constructor(private readonly settings: FakeSettings) {}

  /** Returns a new token, or throws the token host's error. */
  issue(body: unknown, ownUrl: string): string {
    const { key, secret } = this.settings;
    if (memberOf(body, 'client_id') !== key || memberOf(body, 'client_secret') !== secret)
      throw apiError('INVALID_CREDENTIALS');
    // The error code for another grant type is not known.
    if (memberOf(body, 'grant_type') !== 'client_credentials')
      throw new ApiError(400, null, 'The grant type is not supported.');
    const audience = memberOf(body, 'audience');
    const product = products.find((one) => audience === sandboxUrls[one] || audience === `${ownUrl}/${one}`);
    if (!product) throw apiError('INVALID_AUDIENCE');
    const token = randomBytes(32).toString('base64url');
    this.issued.set(token, { product, expiresAt: Date.now() + lifeSeconds * 1_000 });
    return token;
  }

  /** Throws a 401 unless the request has a valid token of the product. */
  verify(request: Request, product: Product): void {
    const token = credentialsOf(request, 'Bearer');
    if (!token) throw apiError('MISSING_TOKEN');
    const found = this.issued.get(token);
    if (found?.product !== product) throw apiError('INVALID_TOKEN');
    if (Date.now() >= found.expiresAt) throw apiError('TOKEN_EXPIRED');
  }

  clear(): void {
    this.issued.clear();
  }
}

/** The token host. The modes do not apply to it. */
export function tokenRoutes(tokens: Tokens): Router {
  const routes = Router();
  routes.use(express.json());
  routes.post('/oauth/token', (request, response) => {
    const ownUrl = `${request.protocol}://${request.headers.host ?? ''}`;
    const token = tokens.issue(request.body, ownUrl);
    response.json({
      access_token: token,
      // The words of the scope are not known.
      scope: 'read write',
      expires_in: lifeSeconds,
      token_type: 'Bearer',
    });
  });
  routes.use(unknownPath, answerErrors);
  return routes;
}

/** One product host: token, media type, the given routes, and Reloadly's errors. */
export function productHost(product: Product, tokens: Tokens, served: readonly Router[]): Router {
  const routes = Router();
  routes.use((request, _response, next) => {
    tokens.verify(request, product);
    next();
  });
  routes.use(requireMediaType(product), express.json(), ...served, unknownPath, answerErrors);
  return routes;
}

/**
 * Answers 406 unless the call names the product's media type. The documentation has 406 only for redeem codes that are requested as
 * plain `application/json`. The fake requires the media type in every call, to find buyers that omit the documented header.
 */
function requireMediaType(product: Product): RequestHandler {
  return (request, _response, next) => {
    if (!mediaTypes[product].some((type) => accepts(request, type)))
      throw new ApiError(406, null, 'The media type is not acceptable.');
    next();
  };
}

/** Whether the request names the media type. Wildcards do not count. */
export function accepts({ headers }: Pick<Request, 'headers'>, mediaType: string): boolean {
  const named = (headers.accept ?? '').split(',').map((part) => part.split(';')[0]?.trim());
  return named.includes(mediaType);
}

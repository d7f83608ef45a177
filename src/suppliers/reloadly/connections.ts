/** The connections to Reloadly: one host and one token for each of its three products. */
import { safeText, type SafeText } from '../../domain/safe-text';
import { json } from '../kit/exchange';
import { createHttp, type SupplierHttp, type TimeLimits } from '../kit/http';
import { MAX_STATUS_BYTES } from '../kit/limits';
import { bearerAuthorization } from '../kit/bearer-authorization';
import type { IssuedToken, SharedState } from '../../domain/suppliers/shared-state';
import { codes } from './error-codes';
import { classify, classifyToken, readToken } from './messages';

export interface ReloadlyOptions extends TimeLimits {
  /** Such as `https://auth.reloadly.com`. */
  authUrl: string;
  /** Such as `https://giftcards-sandbox.reloadly.com`. */
  giftCardsUrl: string;
  /** Such as `https://topups-sandbox.reloadly.com`. */
  topupsUrl: string;
  /** Such as `https://utilities-sandbox.reloadly.com`. */
  utilitiesUrl: string;
  clientId: string;
  clientSecret: string;
  /** The secret with which Reloadly signs webhooks. Without it, every webhook is rejected. */
  webhookSecret?: string | undefined;
}

/** Also the names of the tokens. */
export type ProductLine = 'giftcards' | 'topups' | 'utilities';

export type Connections = Readonly<Record<ProductLine, SupplierHttp>>;

const SUPPLIER = safeText`reloadly`;

/**
 * Connects to the three products. Reloadly issues a token for one product in one environment, named by its address (`audience`),
 * and every other product rejects it.
 */
export function connect(options: ReloadlyOptions, state: SharedState): Connections {
  const tokens = createHttp({
    supplier: SUPPLIER,
    url: options.authUrl,
    authorization: () => ({ accept: 'application/json' }),
    classify: classifyToken,
    codes,
    timeLimits: options,
  });
  const connection = (line: ProductLine, url: string): SupplierHttp => {
    const credentials = [url, options.clientId, options.clientSecret];
    const bearer = bearerAuthorization(state, line, credentials, () => issue(tokens, options, audienceOf(line, url)));
    return createHttp({
      supplier: SUPPLIER,
      url,
      authorization: async (call) => ({ accept: acceptOf(line, call.path), ...(await bearer.authorization(call)) }),
      renewAuthorization: bearer.renewAuthorization,
      classify,
      codes,
      timeLimits: options,
    });
  };
  return {
    giftcards: connection('giftcards', options.giftCardsUrl),
    topups: connection('topups', options.topupsUrl),
    utilities: connection('utilities', options.utilitiesUrl),
  };
}

/** The address that a token names. A sandbox may be reached at another address, such as a proxy's; its tokens name Reloadly's. */
function audienceOf(line: ProductLine, url: string): string {
  const live = `https://${line}.reloadly.com`;
  return url === live ? live : `https://${line}-sandbox.reloadly.com`;
}

/** The path that returns the codes of gift cards. */
export const CARDS_PATH: SafeText = safeText`/orders/transactions/:id/cards`;

/** Version 2 of the codes distinguishes a code from a link. Every other path has version 1. */
function acceptOf(line: ProductLine, path: string): string {
  const version = line === 'giftcards' && path.endsWith('/cards') ? 2 : 1;
  return `application/com.reloadly.${line}-v${version}+json`;
}

async function issue(
  tokens: SupplierHttp,
  { clientId, clientSecret }: ReloadlyOptions,
  audience: string,
): Promise<IssuedToken> {
  return tokens.read({
    method: 'POST',
    path: safeText`/oauth/token`,
    body: json({ client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials', audience }),
    maxBytes: MAX_STATUS_BYTES,
    parse: readToken(Date.now()),
  });
}

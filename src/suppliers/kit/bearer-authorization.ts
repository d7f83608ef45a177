/** Access tokens that all processes share. */
import { createHash } from 'node:crypto';
import type { IssuedToken, SharedState } from '../../domain/suppliers/shared-state';
import type { HttpOptions } from './http';

/**
 * Authorises calls with a bearer token that all processes share, and replaces the token when the supplier rejects it.
 * `credentials`: the address, the id and the secret. A stored token is used only with the credentials for which it was issued, so
 * a change of any of them requests a new token.
 */
export function bearerAuthorization(
  state: SharedState,
  name: string,
  credentials: readonly string[],
  issue: () => Promise<IssuedToken>,
): Pick<Required<HttpOptions>, 'authorization' | 'renewAuthorization'> {
  const credentialsHash = createHash('sha256').update(JSON.stringify(credentials)).digest('hex').slice(0, 16);
  const tokenName = `${name} ${credentialsHash}`;
  return {
    authorization: async () => ({ authorization: `${BEARER}${await state.token(tokenName, issue)}` }),
    renewAuthorization: async ({ authorization = '' }) => {
      await state.token(tokenName, issue, authorization.slice(BEARER.length));
    },
  };
}

const BEARER = 'Bearer ';

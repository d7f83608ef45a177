/** Logins and refreshes as a client sends them, with any result. */
import type { DemoClient } from '../../dev/stack/stack-file';
import { apiWithoutToken, refusal, type Answer } from './stack';

export interface TokenPair {
  access_token: string;
  refresh_token: string;
  access_expires_at: string;
  refresh_expires_at: string;
  client_id: number;
}
export type Login = Answer<{ success: boolean; data: TokenPair }>;

type Credentials = Pick<DemoClient, 'api_key' | 'api_secret'>;

export function login({ api_key: username, api_secret: password }: Credentials): Promise<Login> {
  return apiWithoutToken().post('/auth/login', { username, password });
}

export function refresh(token: string): Promise<Login> {
  return apiWithoutToken().post('/auth/refresh', { refresh_token: token });
}

export async function loggedIn(credentials: Credentials): Promise<TokenPair> {
  return (await login(credentials)).body.data;
}

export const unauthorized = (message: string) => refusal('UNAUTHORIZED', message);
export const rejectedRefresh = unauthorized('Invalid or expired refresh token');

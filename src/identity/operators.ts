/** The operators' door. */
import type { loadIdentityConfig } from '../config';
import type { IdentitySettings, ProviderSettings } from './settings';

type Configured = Pick<ReturnType<typeof loadIdentityConfig>, 'mode' | 'databaseUrl' | 'signIn'>;

/** The settings of the operators' door. `ownUrl`: where the operators' process listens, for a stack without `OPS_URL`. */
export function operatorsDoor({ mode, databaseUrl, signIn }: Configured, ownUrl: string): IdentitySettings {
  const { origin, secret, firstAdmin, restMinutes, sessionHours, secondFactor, provider } = signIn;
  return {
    mode,
    origin: origin ?? ownUrl,
    title: 'Digital Goods operations',
    databaseUrl: signIn.databaseUrl ?? databaseUrl,
    schema: 'identity_operators',
    secret,
    cookiePrefix: 'operators',
    firstAdmin,
    restMinutes,
    sessionHours,
    requiresSecondFactor: secondFactor === 'required',
    provider: providerOf(provider),
  };
}

function providerOf({
  issuer,
  clientId,
  clientSecret,
  scopes,
  ...others
}: Configured['signIn']['provider']): ProviderSettings | undefined {
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  return { issuer, clientId, clientSecret, scopes: scopes.split(/\s+/), ...others };
}

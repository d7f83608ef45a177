/** The operators' door. */
import type { Logger } from 'pino';
import type { IdentityConfig } from '../settings/config';
import { createMailer } from '../notifications/mail/send';
import { openIdentity, type Identity } from './identity';
import type { IdentitySettings, ProviderSettings } from './settings';

type Configured = Omit<IdentityConfig, 'logLevel'>;

interface Process {
  log: Logger;
  /** Where the operators' process listens. Only that process knows it: it is the origin of a stack without `OPS_URL`. */
  ownUrl?: string;
  /** Links of the page about oneself, such as to the Temporal UI. */
  links?: readonly { href: string; text: string }[];
}

/** Opens the operators' door. Close it when the process ends. */
export function openOperatorsIdentity(
  config: Configured,
  { log, ownUrl = '', links = [] }: Process,
): Promise<Identity> {
  return openIdentity(operatorsDoor(config, ownUrl), { mailer: createMailer(config.mail), log, links });
}

/** The settings of the operators' door. `ownUrl`: where the operators' process listens, for a stack without `OPS_URL`. */
export function operatorsDoor(
  { mode, databaseUrl, signIn }: Omit<Configured, 'mail'>,
  ownUrl: string,
): IdentitySettings {
  const { origin, secret, previousSecret, firstAdmin, restMinutes, sessionHours, secondFactor, provider } = signIn;
  return {
    audience: 'operators',
    mode,
    origin: origin ?? ownUrl,
    home: '/office/',
    title: 'Digital Goods operations',
    databaseUrl: signIn.databaseUrl ?? databaseUrl,
    schema: 'identity_operators',
    secret,
    previousSecret,
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

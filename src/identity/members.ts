/** The door of clients' members, who use the console. It shares code with the operators' door, and nothing else. */
import type { Logger } from 'pino';
import type { MemberIdentityConfig } from '../settings/config';
import { consoleUrlOf } from '../settings/identity-settings';
import { createMailer } from '../notifications/mail/send';
import { openIdentity, type Identity } from './identity';
import type { IdentitySettings } from './settings';

/** Opens the members' door. Close it when the process ends. */
export function openMembersIdentity(config: MemberIdentityConfig, log: Logger): Promise<Identity> {
  const links = [{ href: '/console/', text: 'Console' }];
  return openIdentity(membersDoor(config), { mailer: createMailer(config.mail), log, links });
}

/** The settings of the members' door. */
export function membersDoor({
  mode,
  databaseUrl,
  signIn,
  apiPort,
}: Omit<MemberIdentityConfig, 'mail' | 'logLevel'>): IdentitySettings {
  const { secret, previousSecret, restMinutes, sessionHours, consoleUrl } = signIn;
  return {
    audience: 'members',
    mode,
    origin: consoleUrlOf({ consoleUrl, port: apiPort }),
    home: '/console/',
    title: 'Digital Goods console',
    databaseUrl: signIn.databaseUrl ?? databaseUrl,
    schema: 'identity_members',
    secret,
    previousSecret,
    cookiePrefix: 'members',
    firstAdmin: undefined,
    restMinutes,
    sessionHours,
    // The admins of a client decide: `clients.members_need_second_factor`.
    requiresSecondFactor: false,
    provider: undefined,
  };
}

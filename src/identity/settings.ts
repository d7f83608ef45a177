/**
 * What one door of the sign-in needs. A second door has another schema, role, secret and cookie prefix, and nothing in common.
 * Rule: the age of the second factor that permits changes
 */
import type { Logger } from 'pino';
import type { IdentityPool, IdentitySchema } from '../data/identity/identity-pool';
import type { LiveIdentitySession } from '../data/identity/people-sessions';
import type { Role } from '../domain/operators/roles';
import type { Mailer } from '../notifications/mail/send';

export interface IdentitySettings {
  /** Only operators have roles in the door itself, the ops CLI and service accounts. A member's role depends on the client. */
  audience: 'operators' | 'members';
  mode: 'sandbox' | 'production';
  /** Where people reach the door, such as `https://ops.example.com`. */
  origin: string;
  /** Where a person goes after the sign-in without another wish: a path. */
  home: string;
  /** What the pages and mails call the door. */
  title: string;
  /** The URL of a role that may use only the schema. */
  databaseUrl: string;
  schema: IdentitySchema;
  /** Signs sessions and hashes codes. It is not in the database. */
  secret: string;
  /** What the secret was before it was replaced. Until the next start, it reads what it encrypted. */
  previousSecret?: string | undefined;
  cookiePrefix: string;
  /** The address that is invited as admin at the start while no operator exists; undefined for none. */
  firstAdmin: string | undefined;
  /** After this time without a call, a session of a browser ends. */
  restMinutes: number;
  /** After this time, every session of a person ends. */
  sessionHours: number;
  /** Whether all people need a second factor, and not only those who have set one up. */
  requiresSecondFactor: boolean;
  /** The provider of OpenID Connect; undefined if people sign in by mail only. */
  provider: ProviderSettings | undefined;
}

/** What a door works with. */
export interface DoorDependencies {
  settings: IdentitySettings;
  pool: IdentityPool;
  mailer: Mailer;
  log: Logger;
}

export interface ProviderSettings {
  /** The issuer, at which discovery begins. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** What the button calls the provider. */
  name: string;
  scopes: readonly string[];
  /** The claim that holds the address of the person. `email_verified` speaks of `email` only. */
  emailClaim: string;
  groupsClaim: string;
  /** The role of each group of the provider. Undefined if the provider's people need invitations. */
  roleOfGroup: ReadonlyMap<string, Role> | undefined;
}

/** For how long a second factor permits changes. */
export const SECOND_FACTOR_MINUTES = 10;
/** The number of days that an invitation is open. */
export const INVITATION_DAYS = 7;
/** How long a code by mail is valid. */
export const MAIL_CODE_MINUTES = 10;
/** How long a sign-in link of a sandbox is valid. */
export const SIGN_IN_LINK_MINUTES = 15;

/** The admin of a sandbox. No mailbox has this address. */
export const LOCAL_ADMIN = { email: 'admin@localhost.example', name: 'Local admin' };

/** Whether it is the admin whose token all people have who work in this checkout. */
export function isLocalAdmin({ email }: { email: string }): boolean {
  return email === LOCAL_ADMIN.email;
}

/**
 * Whether the person must give a second factor: where the installation demands one, and everyone who has set one up. The local admin of
 * a sandbox, whose token all people have who work in its checkout, never gives one.
 */
export function demandsSecondFactor(
  { requiresSecondFactor, mode, audience }: IdentitySettings,
  { email, hasSecondFactor }: Pick<LiveIdentitySession, 'email' | 'hasSecondFactor'>,
): boolean {
  if (mode === 'sandbox' && audience === 'operators' && isLocalAdmin({ email })) return false;
  return requiresSecondFactor || hasSecondFactor;
}

/** Whether the person of the session still has to give the second factor, or to set one up. It holds after every way in. */
export function lacksSecondFactor(
  settings: IdentitySettings,
  session: Pick<LiveIdentitySession, 'email' | 'hasSecondFactor' | 'secondFactorAt'>,
): boolean {
  return demandsSecondFactor(settings, session) && session.secondFactorAt === null;
}

/** What one door of the sign-in needs. A second door has another schema, role, secret and cookie prefix, and nothing in common. */
import type { Logger } from 'pino';
import type { IdentityPool, IdentitySchema } from '../data/identity/identity-pool';
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

/** The admin of a sandbox. No mailbox has this address. */
export const LOCAL_ADMIN = { email: 'admin@localhost.example', name: 'Local admin' };

/** Whether it is the admin whose token all people have who work in this checkout. */
export function isLocalAdmin({ email }: { email: string }): boolean {
  return email === LOCAL_ADMIN.email;
}

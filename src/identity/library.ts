/**
 * The library of the sign-in (better-auth) with our settings: codes by mail, TOTP, device authorization, OpenID Connect, limits by
 * address, the check of Origin. Ours is what it lacks, in the files next to this one. Its routes are reached only through `call`.
 * docs/decisions/0065-name-operators-and-give-them-roles.md.
 */
import { betterAuth, type BetterAuthOptions } from 'better-auth';
import { APIError } from 'better-auth/api';
import { bearer } from 'better-auth/plugins/bearer';
import { deviceAuthorization } from 'better-auth/plugins/device-authorization';
import { emailOTP } from 'better-auth/plugins/email-otp';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import { magicLink } from 'better-auth/plugins/magic-link';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type { IdentityPool } from '../data/identity/identity-pool';
import { mailCodeName } from '../data/identity/mail-code-browsers';
import { MAX_GUESSES } from '../data/identity/wrong-code-pauses';
import { acceptInvitation } from '../data/identity/invitations';
import { isSuspended, setProvidedRole } from '../data/identity/people';
import { presentEntry } from './entry';
import { codeMail } from './mails';
import { secretsOf } from './secret-rotation';
import { shownName } from './shown-names';
import { personIn, readClaims, roleOfClaim, type Tokens } from './provider-claims';
import { signedIn } from './sign-in-events';
import { keyedHash } from './tokens';
import { MAIL_CODE_MINUTES, SIGN_IN_LINK_MINUTES } from './validity-of-codes-and-links';
import type { DoorDependencies, ProviderSettings } from './settings';

/** Gets the codes that no person may have, so that asking for one costs the same for every address. */
export const NOBODY = 'nobody@invalid.example';
/** The only client of the device authorization. */
export const CLI_CLIENT = 'ops';
/** The name of the provider in the library's paths. */
export const PROVIDER_ID = 'provider';
/** Where the library believes its routes to be. The router passes only the callback of the provider on. */
export const LIBRARY_PATH = '/identity/auth';
/** The header in which `call` gives the library the caller's address, as this service sees it. */
export const ADDRESS_HEADER = 'x-caller-address';

export type Library = ReturnType<typeof openLibrary>;

/** What the discovery document of the provider says. */
export interface DiscoveredProvider {
  issuer: string;
  /** How the provider wants the secret of its client. */
  authentication: 'basic' | 'post';
  userInfoUrl: string | undefined;
}

/** Opens the library, with the provider if its discovery document is known. */
export function openLibrary(deps: DoorDependencies, discovered?: DiscoveredProvider) {
  return betterAuth(libraryOptions(deps, discovered));
}

/** All settings of the library. */
export function libraryOptions(deps: DoorDependencies, discovered?: DiscoveredProvider) {
  const { settings, pool } = deps;
  const { provider } = settings;
  return {
    appName: settings.title,
    baseURL: settings.origin,
    basePath: LIBRARY_PATH,
    secrets: secretsOf(settings),
    database: pool,
    telemetry: { enabled: false },
    logger: {
      log: (level, message) => deps.log[level === 'error' ? 'warn' : 'debug']({ library: message }, 'Sign-in'),
    },
    trustedOrigins: [settings.origin],
    advanced: {
      cookiePrefix: settings.cookiePrefix,
      // In tests, the library would otherwise skip both checks.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    },
    user: {
      additionalFields: {
        // Optional for the library, which would ask the browser for it; `hooksOf` gives it.
        role: { type: 'string', required: false, input: false },
        suspendedAt: { type: 'date', required: false, input: false },
      },
    },
    session: {
      // The end at the latest. `useSession` ends sessions after their rest.
      expiresIn: settings.sessionHours * 3600,
      disableSessionRefresh: true,
      cookieCache: { enabled: false },
      additionalFields: {
        kind: { type: 'string', required: true, input: false },
        machine: { type: 'string', required: false, input: false },
        secondFactorAt: { type: 'date', required: false, input: false },
        lastUsedAt: { type: 'date', required: true, input: false },
      },
    },
    account: {
      // An address links no provider to an existing person. The state of a sign-in is in an encrypted cookie.
      accountLinking: { enabled: false },
      storeStateStrategy: 'cookie',
      updateAccountOnSignIn: false,
    },
    verification: {
      // Codes of several browsers for one address are valid at once, each in its own browser.
      storeIdentifier: { default: 'plain', overrides: { 'sign-in-otp-': { hash: codeNameOf } } },
    },
    rateLimit: { enabled: true, storage: 'database', customRules },
    databaseHooks: hooksOf(deps),
    plugins: [
      bearer({ requireSignature: true }),
      emailOTP(mailCodes(deps)),
      twoFactor({ allowPasswordless: true, issuer: settings.title }),
      deviceAuthorization({
        expiresIn: '10m',
        interval: '5s',
        verificationUri: `${settings.origin}/identity/device`,
        validateClient: (id) => id === CLI_CLIENT,
        generateDeviceCode: () => presentEntry().deviceCodeHash ?? '',
      }),
      magicLink({
        expiresIn: SIGN_IN_LINK_MINUTES * 60,
        disableSignUp: true,
        storeToken: 'hashed',
        sendMagicLink: ({ token }) => {
          presentEntry().linkToken = token;
        },
      }),
      ...(provider && discovered ? [genericOAuth({ config: [providerConfig(provider, discovered)] })] : []),
    ],
  } satisfies BetterAuthOptions;
}

/**
 * Calls that one network address may make to a path of the library. An office of twenty people behind one address signs in at the
 * same minute. Guessing is limited for each person, whatever the address (`beginGuess`). A second factor has only that limit
 * (`beginSecondFactor`), because a rejected call would count as a wrong code of the person.
 */
const customRules = {
  '/email-otp/send-verification-otp': { window: 60, max: 40 },
  '/sign-in/email-otp': { window: 60, max: 60 },
  '/sign-in/social': { window: 60, max: 60 },
  '/two-factor/*': false,
  '/device': { window: 60, max: 60 },
  '/device/code': { window: 60, max: 40 },
  // Every ops CLI that waits polls each five seconds.
  '/device/token': { window: 60, max: 600 },
} as const;

async function codeNameOf(libraryName: string): Promise<string> {
  const { codeOf } = presentEntry();
  if (!codeOf) throw new Error('A code belongs to a browser');
  return mailCodeName(libraryName, codeOf);
}

/** Codes that can be guessed three times, and of which the database has a keyed hash. */
function mailCodes({ settings, mailer, log }: DoorDependencies) {
  return {
    otpLength: 6,
    expiresIn: MAIL_CODE_MINUTES * 60,
    allowedAttempts: MAX_GUESSES,
    storeOTP: { hash: async (code: string) => keyedHash(settings.secret, 'mail-code', code).toString('base64url') },
    // Nothing waits for the mail server: the time of the response would tell whether the address is a person's.
    async sendVerificationOTP({ email, otp }: { email: string; otp: string }) {
      if (email === NOBODY) return;
      mailer.sendMail(codeMail(settings, email, otp)).catch((err: unknown) => {
        log.error({ err }, 'A code to sign in could not be mailed');
      });
    },
  };
}

/** The rules for who may become a person, and for every new session. */
function hooksOf(deps: DoorDependencies) {
  const { pool, settings } = deps;
  return {
    user: { create: { before: async (user) => ({ data: await invitedPerson(pool, user) }) } },
    account: { create: { before: async () => ({ data: noTokens }) } },
    session: {
      create: {
        before: async ({ userId }) => {
          const { session, roleByGroups } = presentEntry();
          if (await isSuspended(pool, userId)) throw rejection('suspended');
          if (roleByGroups) await setProvidedRole(pool, userId, roleByGroups);
          return {
            data: {
              kind: session?.kind ?? 'BROWSER',
              machine: session?.machine ?? null,
              secondFactorAt: session?.secondFactorAt ?? null,
              lastUsedAt: new Date(),
              expiresAt: session?.expiresAt ?? new Date(Date.now() + settings.sessionHours * 3_600_000),
            },
          };
        },
        after: async (session) => {
          if (!presentEntry().isContinued) await signedIn(deps, session);
        },
      },
    },
  } satisfies BetterAuthOptions['databaseHooks'];
}

/** The service calls no provider in the name of a person. */
const noTokens = { accessToken: null, refreshToken: null, idToken: null };

/** A new person: one whom the provider's groups give a role, or whose verified address has an open invitation. Throws otherwise. */
async function invitedPerson(
  pool: IdentityPool,
  { email, emailVerified, name }: { email: string; emailVerified: boolean; name: string },
): Promise<{ role: string; name: string }> {
  if (!emailVerified) throw rejection('email_not_verified');
  const { roleByGroups } = presentEntry();
  if (roleByGroups) return { role: roleByGroups, name: shownName(name) || email };
  const invitation = await acceptInvitation(pool, email);
  if (!invitation) throw rejection('not_invited');
  return invitation;
}

function rejection(code: string): APIError {
  return new APIError('FORBIDDEN', { code, message: code });
}

function providerConfig(provider: ProviderSettings, discovered: DiscoveredProvider) {
  const { issuer, authentication } = discovered;
  return {
    providerId: PROVIDER_ID,
    discoveryUrl: discoveryUrlOf(provider),
    clientId: provider.clientId,
    clientSecret: provider.clientSecret,
    scopes: [...provider.scopes],
    authentication,
    pkce: true,
    requireIdTokenVerification: true,
    // A person is issuer and subject: another issuer under the same settings is another person.
    accountSubject: ({ profile: { sub } }: { profile: { sub?: unknown } }) =>
      typeof sub === 'string' && sub !== '' ? `${issuer} ${sub}` : '',
    getUserInfo: (tokens: Tokens) => readClaims(provider, discovered, tokens),
    mapProfileToUser: (profile: Record<string, unknown>) => {
      const entry = presentEntry();
      const role = provider.roleOfGroup && roleOfClaim(provider.roleOfGroup, profile[provider.groupsClaim]);
      if (provider.roleOfGroup && !role) {
        entry.hasNoRole = true;
        throw rejection('no_role');
      }
      if (role) entry.roleByGroups = role;
      return personIn(provider, profile);
    },
  };
}

/** OpenID Connect Discovery 1.0, section 4. */
export function discoveryUrlOf({ issuer }: Pick<ProviderSettings, 'issuer'>): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

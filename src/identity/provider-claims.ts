/** What a provider of OpenID Connect says of a person. Providers differ: docs/operators/people.md#recipes. */
import { isEmailAddress } from '../notifications/mail/address';
import type { Role } from '../domain/operators/roles';
import type { ProviderSettings } from './settings';
import { isObject } from '../domain/unknown-values';

/** How long a person waits for a provider that does not respond. */
export const PROVIDER_MS = 5_000;

type Claims = Readonly<Record<string, unknown>>;

export interface Tokens {
  idToken?: string | undefined;
  accessToken?: string | undefined;
}

/** A claim of its own, and none that every object inherits. */
const claimIn = (claims: Claims, name: string): unknown => (Object.hasOwn(claims, name) ? claims[name] : undefined);

/**
 * The claims of the ID token, which the library has verified, and those that only the userinfo endpoint has. Null without an ID token,
 * or if the endpoint speaks of another person.
 */
export async function readClaims(
  { emailClaim, groupsClaim, roleOfGroup }: ProviderSettings,
  { userInfoUrl }: { userInfoUrl: string | undefined },
  { idToken, accessToken }: Tokens,
) {
  if (idToken === undefined) return null;
  const claims = claimsIn(idToken);
  const needed = roleOfGroup ? [emailClaim, groupsClaim] : [emailClaim];
  const isWhole = needed.every((name) => claimIn(claims, name) !== undefined);
  if (isWhole || userInfoUrl === undefined || accessToken === undefined) return userOf(claims);
  const response = await fetch(userInfoUrl, {
    headers: { authorization: `Bearer ${accessToken}` },
    signal: AbortSignal.timeout(PROVIDER_MS),
  });
  if (!response.ok) return userOf(claims);
  const more: unknown = await response.json();
  return isObject(more) && more['sub'] === claims['sub'] ? userOf({ ...more, ...claims }) : null;
}

/** The claims with the names that the library needs. `personIn` sets address and name. */
const userOf = (claims: Claims) => ({ ...claims, id: String(claims['sub']), emailVerified: false });

function claimsIn(idToken: string): Claims {
  const [, payload = ''] = idToken.split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
}

/**
 * The address and the name of the person. Without groups, the address opens an invitation, so it must be the claim `email`, and verified.
 * With groups, it decides nothing, so only `email_verified: false` is an obstacle.
 */
export function personIn(
  { emailClaim, roleOfGroup }: Pick<ProviderSettings, 'emailClaim' | 'roleOfGroup'>,
  profile: Claims,
): { name: string; email: string; emailVerified: boolean } {
  const [email, name, verified] = [emailClaim, 'name', 'email_verified'].map((claim) => claimIn(profile, claim));
  const isRejected = String(verified) === 'false';
  const isVerified = emailClaim === 'email' && String(verified) === 'true';
  return {
    name: typeof name === 'string' ? name : '',
    email: typeof email === 'string' && isEmailAddress(email) ? email.toLowerCase() : '',
    emailVerified: !isRejected && (isVerified || roleOfGroup !== undefined),
  };
}

/** The first role of the setting that one of the claimed groups has. */
export function roleOfClaim(
  roleOfGroup: NonNullable<ProviderSettings['roleOfGroup']>,
  claim: unknown,
): Role | undefined {
  const groups = groupsIn(claim).map(nameOfGroup);
  for (const [group, role] of roleOfGroup) if (groups.includes(nameOfGroup(group))) return role;
  return undefined;
}

/** A list, a single group, or a list as JSON text. */
function groupsIn(claim: unknown): string[] {
  const given = typeof claim === 'string' && claim.trim().startsWith('[') ? parsed(claim) : claim;
  const groups: readonly unknown[] = Array.isArray(given) ? given : [given];
  return groups.filter((group) => typeof group === 'string');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A group at the top may be written as a path (`/ops-readers`). A group in another one keeps its path. */
const nameOfGroup = (group: string) => group.replace(/^\//, '');

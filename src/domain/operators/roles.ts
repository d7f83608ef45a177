/**
 * The roles of operators. src/data/identity/last-admin-stays.ts keeps the last admin (`leavesAnAdmin`),
 * src/identity/demanded-second-factor.ts the age of the second factor that permits changes (`SECOND_FACTOR_MINUTES`).
 * Rule: what the roles of operators may see
 */
import { namesOf } from '../records';

/** Each role, with what it is for. `admin` may use every operation. */
export const roleMeanings = {
  viewer: 'Reads everything but codes and recipients.',
  support:
    'Finds, retries, releases, cancels and resolves orders, refunds and replaces goods, stops sales, pauses suppliers, sends emails again, and reveals a recipient with a reason.',
  catalogue: 'Changes products, sources, prices, margins and suppliers.',
  finance: 'Works with wallets, rates, reports and reconciliation.',
  admin: 'Everything, and people, clients, keys and settings.',
} as const;

export type Role = keyof typeof roleMeanings;

export const roles = namesOf(roleMeanings);

/** Who searches by codes and recipients, reveals a recipient for a reason, and opens raw responses of suppliers, which may repeat it. */
export const recipientReaders = ['support'] as const;

/** Who sees what sales left. */
export const marginReaders = ['viewer', 'catalogue', 'finance'] as const;

/** Whether the role is among these, or `admin`. */
export function isAmong(named: readonly Role[], role: Role): boolean {
  return role === 'admin' || named.includes(role);
}

export function isRole(text: string): text is Role {
  return Object.hasOwn(roleMeanings, text);
}

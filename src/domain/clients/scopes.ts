/**
 * What an API key may do. docs/specification.md#scopes. Rules in SQL: `require_scopes` (no caller gives scopes that it lacks),
 * `scopes_of_role` (the scopes of a member's role).
 * Rule: the scopes of keys, and those of a new key
 */
import type { Family } from '../orders/families';

/** All scopes. Migration 0001 has the same list. */
export const scopes = [
  'read',
  'codes',
  'orders:vouchers',
  'orders:topups',
  'orders:esims',
  'wallets',
  'webhooks',
  'admin',
] as const;

export type Scope = (typeof scopes)[number];

/** The scopes of a key that its client creates without naming any. */
export const defaultScopes: readonly Scope[] = scopes.filter((scope) => scope !== 'admin');

/** The scope to order from a family. */
export const orderScopes: Readonly<Record<Family, Scope>> = {
  VOUCHER: 'orders:vouchers',
  TOPUP: 'orders:topups',
  ESIM: 'orders:esims',
};

export const isScope = (text: string): text is Scope => scopes.some((scope) => scope === text);

/** The meaning of each scope, for documents. */
export const scopeMeanings: Readonly<Record<Scope, string>> = {
  read: 'every GET that needs no other scope, and the charges',
  codes: 'codes, PINs and claim URLs of vouchers, and activation codes of eSIMs, in every response',
  'orders:vouchers': 'voucher orders, their notification email and claims',
  'orders:topups': 'top-up orders, their notification email and claims',
  'orders:esims': 'eSIM orders, their notification email and claims',
  wallets: 'changes of wallets',
  webhooks: 'everything below `/webhooks`, secrets included',
  admin: 'keys, allowed networks, members, the activity of the account and the erasure of recipients',
};

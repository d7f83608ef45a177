/**
 * The rate classes of calls and their limits per minute. docs/specification.md#rate-limits.
 * Rule: the calls a minute of each class
 */
import { families, familyIds, type Family } from '../orders/families';

/** The setting `SERVICE_MODE`. */
export type ServiceMode = 'sandbox' | 'production';

export interface RateClass {
  readonly name: string;
  /** Calls a minute, unless an operator sets another limit. */
  readonly defaults: Readonly<Record<ServiceMode, number>>;
}

const orderDefaults = { sandbox: 120, production: 60 };
const chargesDefaults = { sandbox: 300, production: 120 };

/** Logins, counted for each API key and address. */
export const loginCalls: RateClass = { name: 'login', defaults: { sandbox: 30, production: 10 } };

/** Refreshes of a session, counted for each client and address. */
export const refreshCalls: RateClass = { name: 'refresh', defaults: { sandbox: 30, production: 20 } };

/** `GET`, `HEAD` and `OPTIONS` of any path. */
export const reads: RateClass = { name: 'reads', defaults: { sandbox: 600, production: 300 } };

/** All other calls, such as changes of the account, webhook endpoints and wallets. */
export const changes: RateClass = { name: 'changes', defaults: { sandbox: 120, production: 60 } };

/** The class of a family's order requests. */
export function orderCalls(family: Family): RateClass {
  return { name: families[family].rateClasses.orders, defaults: orderDefaults };
}

/** The class of a family's requests for charges. */
export function chargesCalls(family: Family): RateClass {
  return { name: families[family].rateClasses.charges, defaults: chargesDefaults };
}

/** The classes whose limits apply to a client, regardless of its address. */
export const rateClassesOfClient: readonly RateClass[] = [
  reads,
  ...familyIds.map(orderCalls),
  ...familyIds.map(chargesCalls),
  changes,
];

/** Every class whose limit an operator may set for a client, in the order of the specification. */
export const rateClasses: readonly RateClass[] = [loginCalls, refreshCalls, ...rateClassesOfClient];

/** Failed logins and refreshes of each address. Only guessing keys reaches the limit. docs/decisions/0061-count-logins-by-key-and-address.md. */
export const authFailures: RateClass = { name: 'auth_failures', defaults: { sandbox: 1_000, production: 300 } };

/** The client's limit of calls a minute in the class. `overrides`: the limits that an operator has set for the client, by class. */
export function rateLimitOf(
  { name, defaults }: RateClass,
  mode: ServiceMode,
  overrides: Readonly<Record<string, number>>,
): number {
  return overrides[name] ?? defaults[mode];
}

import type { Config } from './config';
import type { SupplierEnvironment } from './setting-schemas';

/**
 * The environment (such as sandbox or live) of each supplier whose environments share one host, by the supplier's name. Operators
 * see it, because the address does not show it.
 */
export function environmentsOf({
  suppliers: { zendit, airalo },
}: Pick<Config, 'suppliers'>): Readonly<Record<string, string>> {
  return { ...(zendit && { zendit: zendit.environment }), ...(airalo && { airalo: airalo.environment }) };
}

/** Every configured supplier with its environment, for the log. A process starts only with suppliers of its own mode. */
export function loggedSuppliers({
  mode,
  suppliers,
}: Pick<Config, 'mode' | 'suppliers'>): Readonly<Record<string, SupplierEnvironment>> {
  const environment = mode === 'production' ? 'live' : 'sandbox';
  return Object.fromEntries(Object.keys(suppliers).map((name) => [name, environment]));
}

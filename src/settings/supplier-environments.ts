import type { Config } from './config';

/**
 * The environment (such as sandbox or live) of each supplier whose environments share one host, by the supplier's name. Operators
 * see it, because the address does not show it.
 */
export function environmentsOf({
  suppliers: { zendit, airalo },
}: Pick<Config, 'suppliers'>): Readonly<Record<string, string>> {
  return { ...(zendit && { zendit: zendit.environment }), ...(airalo && { airalo: airalo.environment }) };
}

/** The configured suppliers, by their names in the catalogue. */
import type { Config } from '../settings/config';
import { createAiraloSupplier } from './airalo';
import { createDtoneSupplier } from './dtone';
import type { SharedState } from './kit/shared-state';
import { isSupplierError, safeMessage, type LookupReport, type SandboxControls, type Supplier } from './port';
import { createReloadlySupplier } from './reloadly';
import { createSimulatorSupplier } from './simulator';
import { createSimulatorControls } from './simulator/sandbox-controls';
import { createZenditSupplier } from './zendit';

/** Every configured supplier. A new adapter is one more entry of `configured`. `stateOf` returns a supplier's `SharedState`. */
export function suppliersFrom(
  { suppliers }: Pick<Config, 'suppliers'>,
  stateOf: (supplier: string) => SharedState,
): ReadonlyMap<string, Supplier> {
  const { simulator, dtone, reloadly, zendit, airalo } = suppliers;
  const configured = [
    simulator && createSimulatorSupplier(simulator),
    dtone && createDtoneSupplier(dtone, stateOf('dtone')),
    reloadly && createReloadlySupplier(reloadly, stateOf('reloadly')),
    zendit && createZenditSupplier(zendit),
    airalo && createAiraloSupplier(airalo, stateOf('airalo')),
  ];
  const environments = environmentsOf({ suppliers });
  return new Map(
    configured
      .filter((supplier) => supplier !== undefined)
      .map((one) => [one.name, environments[one.name] === 'sandbox' ? sellingTests(one) : one]),
  );
}

/** The supplier with each profile marked as a test. */
function sellingTests(supplier: Supplier): Supplier {
  return {
    ...supplier,
    purchase: async (request, mayBeSent) => marked(await supplier.purchase(request, mayBeSent)),
    find: async (lookup) => marked(await supplier.find(lookup)),
  };
}

function marked<Report extends LookupReport>(report: Report): Report {
  if (!('goods' in report)) return report;
  const goods = report.goods.map((unit) =>
    unit.kind === 'esim' ? { ...unit, isTest: true as const } : unit,
  );
  return { ...report, goods };
}

/**
 * The environment (such as sandbox or live) of each supplier whose environments share one host, by the supplier's name. Operators
 * see it, because the address does not show it.
 */
export function environmentsOf({
  suppliers: { zendit, airalo },
}: Pick<Config, 'suppliers'>): Readonly<Record<string, string>> {
  return { ...(zendit && { zendit: zendit.environment }), ...(airalo && { airalo: airalo.environment }) };
}

/** Returns the supplier with the name. Throws if it is not configured. */
export function requireSupplier(suppliers: ReadonlyMap<string, Supplier>, name: string): Supplier {
  const supplier = suppliers.get(name);
  if (!supplier) throw new Error(`Supplier "${name}" is not configured`);
  return supplier;
}

/**
 * Runs `work` for every supplier concurrently. The failure of one does not stop the others. Then throws one error that
 * names every failed supplier, in order. Its cause is the first failure that is not an error of the port.
 */
export async function withEachSupplier(
  suppliers: ReadonlyMap<string, Supplier>,
  work: (supplier: Supplier) => Promise<void>,
): Promise<void> {
  const all = [...suppliers.values()];
  const outcomes = await Promise.allSettled(all.map(async (supplier) => work(supplier)));
  const failures = outcomes.flatMap((outcome, index): { name: string | undefined; error: unknown }[] =>
    outcome.status === 'rejected' ? [{ name: all[index]?.name, error: outcome.reason }] : [],
  );
  if (failures.length === 0) return;
  const unforeseen = failures.find(({ error }) => !isSupplierError(error));
  const message = failures.map(({ name, error }) => `${name}: ${safeMessage(error)}`).join('; ');
  throw new Error(message, { cause: unforeseen?.error });
}

/** The sandbox controls of each supplier that has them. */
export type AllSandboxControls = ReadonlyMap<string, SandboxControls>;

/** The sandbox controls of the configured suppliers; undefined in production. */
export function sandboxControlsFrom({
  mode,
  suppliers,
}: Pick<Config, 'mode' | 'suppliers'>): AllSandboxControls | undefined {
  if (mode === 'production') return undefined;
  return new Map(suppliers.simulator && [['simulator', createSimulatorControls(suppliers.simulator)]]);
}

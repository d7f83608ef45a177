/** The configured suppliers, by their names in the catalogue. */
import type { Config } from '../settings/config';
import { createAiraloSupplier } from './airalo';
import { createDtoneSupplier } from './dtone';
import type { SharedState } from '../domain/suppliers/shared-state';
import type { AllSandboxControls } from '../domain/suppliers/configured-suppliers';
import type { Supplier } from '../domain/suppliers/port';
import { environmentsOf } from '../settings/supplier-environments';
import { createReloadlySupplier } from './reloadly';
import { createSimulatorSupplier } from './simulator';
import { createSimulatorControls } from './simulator/sandbox-controls';
import { sellingTests } from './test-profiles';
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

/** The sandbox controls of the configured suppliers; undefined in production. */
export function sandboxControlsFrom({
  mode,
  suppliers,
}: Pick<Config, 'mode' | 'suppliers'>): AllSandboxControls | undefined {
  if (mode === 'production') return undefined;
  return new Map(suppliers.simulator && [['simulator', createSimulatorControls(suppliers.simulator)]]);
}

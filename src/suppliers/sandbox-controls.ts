/** What the sandboxes of suppliers let happen that is otherwise up to people and their devices. */
import type { Config } from '../config';
import type { ProfileChange } from '../domain/esims/esim-lifecycle';
import { createSimulatorRehearsal } from './simulator/sandbox-controls';

export interface Rehearsal {
  /** Has the device do that with the profile; what it has done already stays as it was. Throws the port's errors. */
  changeProfile: (iccid: string, change: ProfileChange) => Promise<void>;
}

/** By supplier, as the catalogue names it. */
export type Rehearsals = ReadonlyMap<string, Rehearsal>;

/** Those of the configured suppliers; undefined in production, where nothing is rehearsed. */
export function rehearsalsFrom({
  mode,
  suppliers,
}: Pick<Config, 'mode' | 'suppliers'>): Rehearsals | undefined {
  if (mode === 'production') return undefined;
  return new Map(suppliers.simulator && [['simulator', createSimulatorRehearsal(suppliers.simulator)]]);
}

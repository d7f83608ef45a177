/** The webhooks that tell the buyer that little data is left. */
import { digitsIn } from '../kit/responses';
import type { Esim, EsimChange } from './esims';
import type { Parts } from './parts';

const levelsOf: Readonly<Partial<Record<EsimChange, readonly (readonly [level: string, left: number])[]>>> = {
  use: [['75%', 20]],
  deplete: [['90%', 0]],
  expire: [
    ['3days', 20],
    ['1days', 20],
  ],
};

/** Sends the webhooks of a change of the eSIM. Most changes have none. */
export function notifyChange({ context, notify }: Parts, esim: Esim, change: EsimChange): void {
  const { pkg } = esim.order;
  const modes = context.modes.of(pkg.id);
  for (const [level, remaining_percentage] of levelsOf[change] ?? []) {
    const iccid = digitsIn(modes)(esim.sim.iccid);
    notify({ level, package_name: pkg.title, remaining_percentage, iccid }, modes);
  }
}

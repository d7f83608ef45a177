import { endFollowing, findEsim } from '../src/data/orders/esim-life';
import { isOver, lifeOf, type EsimLife } from '../src/domain/esim-life';
import type { OrderKey } from '../src/domain/order-flow';
import { isPushed, syncEsim, type EsimDependencies } from '../src/ordering/esim-life';

/** What the workflow that follows an eSIM asks of the world. */
export const esims = (deps: EsimDependencies) => ({
  /**
   * Asks the supplier how the eSIM stands, stores what is new and tells where it is in its life by the
   * workflow's time (milliseconds since 1970). Repeated, nothing is told to clients twice.
   */
  async pollEsim(order: OrderKey, now: number): Promise<EsimLife> {
    const esim = await findEsim(deps.database, order);
    const life = lifeOf(await syncEsim(deps, esim, new Date(now)), isPushed(deps, esim));
    if (isOver(life, now)) await endFollowing(deps.database, order.orderId);
    return life;
  },
});

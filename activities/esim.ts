import { findEsim } from '../src/data/orders/esim-life';
import { lifeOf, type EsimLife } from '../src/domain/esim-life';
import type { OrderKey } from '../src/domain/order-flow';
import { lookAtEsim, type EsimTools } from '../src/ordering/esim-life';
import { supplierFailure } from './failures';

/** What the workflow that follows an eSIM asks of the world. */
export const esims = (tools: EsimTools) => ({
  /**
   * Asks the supplier how the eSIM stands, stores what is new and tells where it is in its life by the
   * workflow's time (milliseconds since 1970). Repeated, nothing is told to clients twice.
   */
  async askEsim(order: OrderKey, now: number): Promise<EsimLife> {
    const esim = await findEsim(tools.database, order);
    try {
      return lifeOf(await lookAtEsim(tools, esim, new Date(now)));
    } catch (error) {
      throw supplierFailure('ESIM', error);
    }
  },
});

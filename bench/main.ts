/**
 * `npm run bench`: what an order costs beside the least that Temporal itself costs, and how a large
 * order goes together with small ones. Runs against the stack that is running, or starts one.
 */
import { withStack } from '../stack/launch';
import type { StackFile } from '../stack/stack-file';
import { BareFlow } from './bare/client';
import { bulkOrder } from './bulk';
import { compare } from './compare';
import { OrderClient } from './order-client';
import { compareReads } from './reads';

async function measure(stack: StackFile): Promise<void> {
  const orders = await OrderClient.login(stack);
  const bare = await BareFlow.start(stack);
  try {
    await compare({ order: () => orders.orderOne(), bare: () => bare.run() });
    await bulkOrder(orders);
    await compareReads(stack, orders);
  } finally {
    await bare.stop();
    await orders.close();
  }
}

void withStack(measure);

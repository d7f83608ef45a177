/** What the workflows of orders can be told and asked. */
import { defineSignal, defineUpdate } from '@temporalio/workflow';
import { orderMessages, type Answer, type Resolution } from '../src/domain/order-flow';

/** What the waiting create is told: placed or refused, once there is something to show. */
export const answerUpdate = defineUpdate<Answer>(orderMessages.answer);

/** An operator calls the order off, with the reason. It works as long as nothing was bought. */
export const cancelOrderSignal = defineSignal<[reason?: string]>(orderMessages.cancel);

/** Something changed at the supplier: ask now instead of at the next turn. */
export const supplierNewsSignal = defineSignal(orderMessages.supplierNews);

/** An operator's word on an order whose outcome could not be found out. */
export const resolveOrderSignal = defineSignal<[Resolution]>(orderMessages.resolve);

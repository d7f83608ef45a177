/** The search attributes of an order's workflow: how operators find orders in the Temporal UI. */
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

export const orderId = defineSearchAttributeKey('OrderId', SearchAttributeType.INT);
export const clientId = defineSearchAttributeKey('ClientId', SearchAttributeType.INT);
export const productFamily = defineSearchAttributeKey('ProductFamily', SearchAttributeType.KEYWORD);
export const orderStatus = defineSearchAttributeKey('OrderStatus', SearchAttributeType.KEYWORD);
/** Set where an order waits for an operator; the value is the reason. */
export const attention = defineSearchAttributeKey('Attention', SearchAttributeType.KEYWORD);

/** The search attributes of orders and eSIMs: how operators find them in the Temporal UI. */
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

export const orderId = defineSearchAttributeKey('OrderId', SearchAttributeType.INT);
export const clientId = defineSearchAttributeKey('ClientId', SearchAttributeType.INT);
export const productFamily = defineSearchAttributeKey('ProductFamily', SearchAttributeType.KEYWORD);
export const orderStatus = defineSearchAttributeKey('OrderStatus', SearchAttributeType.KEYWORD);
/** Set where an order waits for an operator; the value is the reason. */
export const attention = defineSearchAttributeKey('Attention', SearchAttributeType.KEYWORD);
/** How far a delivered eSIM has come; only on the workflow that follows it. */
export const activationStatus = defineSearchAttributeKey('ActivationStatus', SearchAttributeType.KEYWORD);

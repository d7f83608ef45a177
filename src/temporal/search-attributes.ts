/** The search attributes of orders and eSIMs: how operators find them in the Temporal UI. */
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

export const orderId = defineSearchAttributeKey('OrderId', SearchAttributeType.INT);
export const clientId = defineSearchAttributeKey('ClientId', SearchAttributeType.INT);
export const productFamily = defineSearchAttributeKey('ProductFamily', SearchAttributeType.KEYWORD);
export const orderStatus = defineSearchAttributeKey('OrderStatus', SearchAttributeType.KEYWORD);
/** Set where an order waits for an operator; the value is the reason. */
export const attention = defineSearchAttributeKey('Attention', SearchAttributeType.KEYWORD);
/** Why an order failed; absent where it did not. */
export const failureCode = defineSearchAttributeKey('FailureCode', SearchAttributeType.KEYWORD);
/** Who sells what was ordered to us, and which product of its family it is. Orders from before there were these have none. */
export const supplier = defineSearchAttributeKey('Supplier', SearchAttributeType.KEYWORD);
export const productId = defineSearchAttributeKey('ProductId', SearchAttributeType.INT);
/** How far a delivered eSIM has come; only on the workflow that follows it. */
export const activationStatus = defineSearchAttributeKey('ActivationStatus', SearchAttributeType.KEYWORD);

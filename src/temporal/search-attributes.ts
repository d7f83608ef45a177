/** The search attributes of orders and eSIMs: how operators find them in the Temporal UI. */
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

export const orderId = defineSearchAttributeKey('OrderId', SearchAttributeType.INT);
export const clientId = defineSearchAttributeKey('ClientId', SearchAttributeType.INT);
export const productFamily = defineSearchAttributeKey('ProductFamily', SearchAttributeType.KEYWORD);
export const orderStatus = defineSearchAttributeKey('OrderStatus', SearchAttributeType.KEYWORD);
/** The reason why an order waits for an operator; unset if it does not. */
export const attention = defineSearchAttributeKey('Attention', SearchAttributeType.KEYWORD);
/** Why an order failed; unset if it did not. */
export const failureCode = defineSearchAttributeKey('FailureCode', SearchAttributeType.KEYWORD);
/** The supplier of the order's first source; on an eSIM monitor, the supplier of the eSIM. */
export const supplier = defineSearchAttributeKey('Supplier', SearchAttributeType.KEYWORD);
/** The id of the product, which is unique within its family. */
export const productId = defineSearchAttributeKey('ProductId', SearchAttributeType.INT);
/** The activation status of a delivered eSIM; only on its eSIM monitor. */
export const activationStatus = defineSearchAttributeKey('ActivationStatus', SearchAttributeType.KEYWORD);

import { ApplicationFailure } from '@temporalio/workflow';
import { rejectionType } from '../src/domain/orders/order-messages';

/** A rejection with a sentence for the operator. The failure converter leaves it readable for the Temporal UI. */
export function rejection(sentence: string): ApplicationFailure {
  const failure = ApplicationFailure.nonRetryable(sentence, rejectionType);
  failure.stack = '';
  return failure;
}

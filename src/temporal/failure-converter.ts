import { ApplicationFailure, DefaultFailureConverter, type FailureConverter } from '@temporalio/common';
import { refusedType } from '../domain/orders/order-flow';

const encoded = new DefaultFailureConverter({ encodeCommonAttributes: true });
const readable = new DefaultFailureConverter();

/**
 * How errors are written to Temporal: message and stack go through the payload codec like everything else; but why an
 * operator's update was refused does not, because the Temporal UI shows that without asking the codec server. Workflows
 * have it in their bundle (see dev/scripts/build.mjs), clients and workers find it by the path of this file.
 */
export const failureConverter: FailureConverter = {
  errorToFailure(error, payloadConverter, context) {
    const isRefusal = error instanceof ApplicationFailure && error.type === refusedType;
    return (isRefusal ? readable : encoded).errorToFailure(error, payloadConverter, context);
  },
  failureToError: (failure, payloadConverter, context) =>
    encoded.failureToError(failure, payloadConverter, context),
};

import { ApplicationFailure, DefaultFailureConverter, type FailureConverter } from '@temporalio/common';
import { refusedType } from '../domain/orders/order-flow';

const encoded = new DefaultFailureConverter({ encodeCommonAttributes: true });
const readable = new DefaultFailureConverter();

/**
 * Encrypts the message and stack of errors with the payload codec. The rejection of an operator's update stays in plain
 * text, because the Temporal UI shows it without the codec server. Workflows have the converter in their bundle (see
 * `dev/scripts/build.mjs`); clients and workers load this file by its path.
 */
export const failureConverter: FailureConverter = {
  errorToFailure(error, payloadConverter, context) {
    const isRefusal = error instanceof ApplicationFailure && error.type === refusedType;
    return (isRefusal ? readable : encoded).errorToFailure(error, payloadConverter, context);
  },
  failureToError: (failure, payloadConverter, context) =>
    encoded.failureToError(failure, payloadConverter, context),
};

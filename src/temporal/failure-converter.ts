import { ApplicationFailure, DefaultFailureConverter, type FailureConverter } from '@temporalio/common';
import { maintenanceFailedType } from '../domain/maintenance';
import { rejectionType } from '../domain/orders/order-messages';

const encoded = new DefaultFailureConverter({ encodeCommonAttributes: true });
const readable = new DefaultFailureConverter();

/**
 * The types of errors that stay in plain text: the rejection of an operator's update, because the Temporal UI does not have it
 * decrypted, and the failure of a maintenance run. Temporal passes that failure to the next run of the schedule, which
 * must start even if the payload key is retired by then.
 */
const readableTypes: readonly ApplicationFailure['type'][] = [rejectionType, maintenanceFailedType];

/**
 * Encrypts the message and stack of other errors with the payload codec. Workflows have the converter in their bundle (see
 * `dev/scripts/build.mjs`); clients and workers load this file by its path.
 */
export const failureConverter: FailureConverter = {
  errorToFailure(error, payloadConverter, context) {
    const isReadable = error instanceof ApplicationFailure && readableTypes.includes(error.type);
    return (isReadable ? readable : encoded).errorToFailure(error, payloadConverter, context);
  },
  failureToError: (failure, payloadConverter, context) => encoded.failureToError(failure, payloadConverter, context),
};

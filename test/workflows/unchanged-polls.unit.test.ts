/** The failures with which the activity `poll` may end. docs/decisions/0012-poll-by-retries-of-one-activity.md. */
import { ActivityFailure, ApplicationFailure, RetryState, TimeoutFailure } from '@temporalio/common';
import { unchangedType } from '../../src/domain/poll-cadence';
import { isUnchangedPoll } from '../../workflows/order/steps';

const failureOf = (type: string) => ApplicationFailure.create({ message: 'As the server reports it', type });
const ended = (cause: Error) => new ActivityFailure('', 'poll', '1', RetryState.TIMEOUT, undefined, cause);
/** As the SDK makes it of the message that a server sends. */
const timedOut = (lastType?: string) =>
  Object.assign(new TimeoutFailure('', undefined, 'SCHEDULE_TO_CLOSE'), {
    failure: { cause: lastType === undefined ? null : { applicationFailureInfo: { type: lastType } } },
  });

test.each([
  ['after a poll without a change', ended(failureOf(unchangedType)), true],
  ['during a poll that follows one without a change', ended(timedOut(unchangedType)), true],
  ['after a failed poll', ended(failureOf('SupplierUnavailable')), false],
  ['during a poll that follows a failed one', ended(timedOut('SupplierUnavailable')), false],
  ['during the first poll', ended(timedOut()), false],
])(
  'When the time limit ends the activity %s, then only an answered poll counts as one without a change',
  (_when, failure, expected) => {
    expect(isUnchangedPoll(failure)).toBe(expected);
  },
);

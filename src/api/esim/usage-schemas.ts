/** The schema of an eSIM's usage. docs/specification.md#esim-usage. */
import { amount, model, orNull, time, type SchemaFields } from '../openapi/schema';

/** The usage as its supplier last reported it. */
export const usageFields: SchemaFields = {
  data_total_mb: orNull(amount('Megabytes of the plan; null if the supplier does not report them.', 5_000)),
  data_used_mb: orNull(amount('Used megabytes; null if the supplier does not report them.', 1_250.5)),
  data_left_mb: orNull(amount('Megabytes that are left; null if the supplier does not report them.', 3_749.5)),
  validity_ends_at: orNull(
    time(
      'The end of the validity; null before the first use, or if the supplier does not report it.',
      '2026-03-02T08:05:00.000Z',
    ),
  ),
};

export const esimUsage = model('EsimUsage', 'The used data of an eSIM, as its supplier reports it.', {
  ...usageFields,
  checked_at: orNull(time('When the supplier last reported it; null if it has not.', '2026-02-11T12:00:00.000Z')),
});

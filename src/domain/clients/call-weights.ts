/**
 * What a call counts in the limit of its class besides one. docs/specification.md#rate-limits.
 * Rule: the weight of a call
 */
const BYTES_PER_WEIGHT = 64 * 1024;
const ROWS_PER_WEIGHT = 1_000;

/** The additional weight of a call's body: one for each started 64 KiB beyond the first. docs/specification.md#rate-limits. */
export function weightOfBody(bytes: number): number {
  return Math.max(0, Math.ceil(bytes / BYTES_PER_WEIGHT) - 1);
}

/** The additional weight of the returned units or list rows: one for each 1,000 beyond the first. */
export function weightOfRows(rows: number): number {
  return Math.max(0, Math.floor(rows / ROWS_PER_WEIGHT) - 1);
}

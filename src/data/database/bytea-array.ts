/** Many short values of bytes as one value of a statement. */

/** `bytea` in `pg_type`, whose numbers never change. */
const BYTEA = 17;
/** Dimensions, whether a value is null, type; length and first index of the one dimension. */
const HEAD_BYTES = 20;
const LENGTH_BYTES = 4;
const IS_NULL = -1;

/**
 * The values as a `bytea[]` in PostgreSQL's binary form (`array_recv`), which the driver sends as it is. Of an array it
 * would make text: two digits for each byte, which take it twice as long, and PostgreSQL a sixth longer to store them.
 */
export function byteaArray(values: readonly (Buffer | null)[]): Uint8Array<ArrayBuffer> {
  const size = values.reduce((sum, value) => sum + LENGTH_BYTES + (value?.length ?? 0), HEAD_BYTES);
  const array = Buffer.alloc(size);
  array.writeInt32BE(1, 0);
  array.writeInt32BE(values.includes(null) ? 1 : 0, 4);
  array.writeInt32BE(BYTEA, 8);
  array.writeInt32BE(values.length, 12);
  array.writeInt32BE(1, 16);
  let at = HEAD_BYTES;
  for (const value of values) {
    at = array.writeInt32BE(value?.length ?? IS_NULL, at);
    if (value) at += value.copy(array, at);
  }
  return array;
}

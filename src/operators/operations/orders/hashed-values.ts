/** The hashes by which encrypted values are found. */
import { Sealer } from '../../../security/sealing';
import type { Context } from '../context';

/** The hashes of the value, one for each key that may have hashed it. */
export async function hashesOf(context: Context, value: string): Promise<Buffer[]> {
  return new Sealer(await context.keyRing()).lookupHashes(value);
}

/** Reads a file in the reading thread. */
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { propertyOf } from '../../../domain/unknown-values';
import { numberOfThread } from '../../../async/system-threads';
import { InvalidArgument, type GivenFile } from '../arguments';
import { readers } from './readers';
import type { FileKind } from './file-kinds';

export interface ReadJob {
  kind: FileKind;
  file: GivenFile;
  settings: readonly unknown[];
  /** The thread writes its number here, so that its time can be measured. */
  thread: Int32Array;
}

/** What the reader returns, or the sentence about the fault of the file. */
export type ReadResult = { content: object } | { fault: string };

/** What is shown of a message of a library, which may repeat the file. */
const MAX_MESSAGE = 300;

/** Transfers the bytes of the result to the main thread instead of copying them. */
export async function readOnThread({ kind, file, settings, thread }: ReadJob) {
  thread[0] = numberOfThread();
  try {
    // The caller of a kind gives the settings of its reader.
    const read = readers[kind] as (file: GivenFile, ...settings: readonly unknown[]) => object | Promise<object>;
    const content = await read(file, ...settings);
    return move({ [transferableSymbol]: buffersIn(content), [valueSymbol]: { content } });
  } catch (error) {
    return { fault: faultOf(file, error) };
  }
}

/** The sentence for the operator. Throws a fault of this program. */
function faultOf({ name }: GivenFile, error: unknown): string {
  if (error instanceof InvalidArgument) return error.message;
  if (!(error instanceof Error) || error instanceof TypeError) throw error;
  return `${name} cannot be read: ${error.message.slice(0, MAX_MESSAGE)}`;
}

/** The memory of packed rows. */
function buffersIn(content: object): ArrayBuffer[] {
  const batches = Object.values(content).flatMap((part: unknown) => {
    const found = propertyOf(part, 'batches');
    return Array.isArray(found) ? (found as unknown[]) : [];
  });
  return batches.flatMap((batch: unknown) =>
    batch instanceof Uint8Array && batch.buffer instanceof ArrayBuffer ? [batch.buffer] : [],
  );
}

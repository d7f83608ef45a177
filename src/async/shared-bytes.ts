/** Bytes in memory that threads share, so that no thread copies them for another. */

/** Bytes of this length, all 0. */
export function sharedBytes(length: number): Buffer {
  return Buffer.from(new SharedArrayBuffer(Math.ceil(length)));
}

/** The pieces, one after the other. */
export function inSharedMemory(pieces: readonly Uint8Array[]): Buffer {
  const bytes = sharedBytes(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** The kinds of files that people upload, or that the service fetches. */
import type { Readers } from './readers';

export type FileKind = keyof Readers;

/** What the reader of the kind needs besides the file: nothing, or its settings. */
export type FileSettings<Kind extends FileKind> =
  Parameters<Readers[Kind]> extends [unknown, ...infer Settings] ? Settings : never;

/** What the reader of the kind returns. */
export type FileContent<Kind extends FileKind> = Awaited<ReturnType<Readers[Kind]>>;

/** How large files may be, in bytes. */
export const fileSizes: Readonly<Record<FileKind, number>> = inMiB({
  /** Some thousand bookings of a bank. */
  bank: 8,
  /** Many times the largest catalogue. */
  catalogue: 16,
  euroRates: 1,
  /** The goods of one order. */
  goods: 4,
  /** A rate for each pair of currencies. */
  referenceRates: 4,
  /** Ten thousand refunds with their notes. */
  refunds: 8,
  /** The notes of such a file. */
  hiddenNotes: 8,
  /** 200,000 sales. */
  sales: 16,
});

function inMiB(sizes: Record<FileKind, number>): Record<FileKind, number> {
  const bytes = Object.entries(sizes).map(([kind, size]) => [kind, size * 2 ** 20] as const);
  return Object.fromEntries(bytes) as Record<FileKind, number>;
}

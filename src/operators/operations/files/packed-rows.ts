/** Long lists that cross threads: in batches of bytes, each of which is unpacked in its turn, so that no thread holds all rows as objects. */
import { deserialize, serialize } from 'node:v8';

/** Unpacking so many takes some milliseconds. */
const BATCH = 500;

export interface PackedRows<Row> {
  readonly count: number;
  readonly batches: readonly Uint8Array[];
  /** Only for the compiler: the type of the rows. */
  readonly row?: Row;
}

export class RowPacker<Row> {
  private readonly batches: Uint8Array[] = [];
  private rows: Row[] = [];
  count = 0;

  add(row: Row): void {
    this.count += 1;
    this.rows.push(row);
    if (this.rows.length === BATCH) this.flush();
  }

  packed(): PackedRows<Row> {
    if (this.rows.length > 0) this.flush();
    return { count: this.count, batches: this.batches };
  }

  private flush(): void {
    this.batches.push(serialize(this.rows));
    this.rows = [];
  }
}

/** The rows of all packers, one after the other. */
export function joined<Row>(packers: readonly RowPacker<Row>[]): PackedRows<Row> {
  const parts = packers.map((packer) => packer.packed());
  return { count: parts.reduce((sum, { count }) => sum + count, 0), batches: parts.flatMap(({ batches }) => batches) };
}

/** The rows in their sequence, a batch at a time. */
export function* batchesOf<Row>({ batches }: PackedRows<Row>): Generator<Row[], void> {
  // `RowPacker` has written them.
  for (const batch of batches) yield deserialize(batch) as Row[];
}

/** The rows in their sequence. */
export function* unpackedRows<Row>(packed: PackedRows<Row>): Generator<Row, void> {
  for (const batch of batchesOf(packed)) yield* batch;
}

/**
 * Opens every stored code, in pages, and checks that it is the code of its lookup hash. Otherwise its client cannot read it, or the
 * service would deliver it a second time.
 */
import type { Database, Transaction } from '../database/database';
import { eachPage, pageStatement, rowName } from '../keys/move-values';
import {
  hashColumns,
  sealedColumns,
  type HashColumn,
  type SealedColumn,
  type SealedValue,
} from '../keys/sealed-columns';
import type { Sealer } from '../../security/sealing';
import { thrownMessage } from '../../domain/unknown-values';

export const codeChecks = ['sealed-code', 'code-hash'] as const;

/** One wrong value: its row, such as `vouchers 17/3`, and what is wrong. */
interface WrongCode {
  check: (typeof codeChecks)[number];
  subject: string;
  detail: string;
}

interface StoredCode extends SealedValue {
  /** In the sequence of the column's `HashColumn`s. */
  hashes: (Buffer | null)[];
}

const holdsCodes = ({ table }: SealedColumn) => ['vouchers', 'esim_orders', 'quarantined_goods'].includes(table);
/**
 * Quarantined goods of operators, goods that could not be read, and activation codes of a supplier's sandbox, which profiles share,
 * have no hash.
 */
const mayLackHash = ({ column, sealed }: HashColumn) =>
  sealed.table === 'quarantined_goods' || column === 'activation_hash';

/** Calls `report` for each value that cannot be opened, and for each that has not the hash of its code. */
export async function verifyCodes(
  { database, sealer, transaction }: { database: Database; sealer: Sealer; transaction: Transaction },
  report: (wrong: WrongCode) => void,
): Promise<void> {
  for (const column of sealedColumns.filter(holdsCodes)) {
    const hashed = hashColumns.filter(({ sealed }) => sealed === column);
    const hashes = `, ARRAY[${hashed.map((each) => `t.${each.column}`).join(', ')}]::bytea[] AS hashes`;
    const page = pageStatement(column, `length(t.${column.column}) > 0`, hashes);
    const verify = (values: StoredCode[]) => {
      for (const value of values) {
        const wrong = faultOf(sealer, column, hashed, value);
        if (wrong) report({ ...wrong, subject: rowName(column, value) });
      }
    };
    await eachPage<StoredCode>(database, page, {}, verify, transaction);
  }
}

function faultOf(
  sealer: Sealer,
  column: SealedColumn,
  hashed: readonly HashColumn[],
  value: StoredCode,
): Pick<WrongCode, 'check' | 'detail'> | undefined {
  try {
    const text = sealer.open(column.place(value), value.sealed);
    const wrong = hashed.find((each, index) => {
      const hash = value.hashes[index] ?? null;
      // Only a hash proves that the text is a unit in our form.
      if (hash === null && mayLackHash(each)) return false;
      const code = each.textOf(text);
      return hash === null ? code !== null : !isHashOf(sealer, hash, code);
    });
    return wrong && { check: 'code-hash', detail: `${wrong.column} is not the hash of its code` };
  } catch (error) {
    return { check: 'sealed-code', detail: `${column.column} cannot be opened: ${thrownMessage(error)}` };
  }
}

function isHashOf(sealer: Sealer, hash: Buffer, code: string | null): boolean {
  return code !== null && sealer.lookupHashes(code).some((known) => known.equals(hash));
}

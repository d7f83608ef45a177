/** Reads a bank's file in any of the formats. The parsers are loaded only by the operators' process. */
import type { BankEntry, BankFormat } from '../../../domain/funding/bank-entry';
import type { BankCsv } from '../../../settings/bank-csv';
import { InvalidArgument, type NamedText } from '../arguments';
import { bankCsvEntries } from './bank-csv';
import { camt053Entries } from './camt053';
import { mt940Entries } from './mt940';
import { MAX_BANK_ENTRIES } from './statement-values';

export interface BankStatementFile {
  format: BankFormat;
  entries: BankEntry[];
}

/** Reads the file, in the format that its content has unless one is given. Throws `InvalidArgument`, which names the file and the place. */
export function readBankFile(
  { name, text: written }: NamedText,
  { format: given, csv }: { format: BankFormat | undefined; csv: BankCsv | undefined },
): BankStatementFile {
  const text = written.replace(/^\uFEFF/, '');
  if (text.trim() === '') throw new InvalidArgument(`${name} is empty`);
  const format = given ?? formatOf(text);
  try {
    const entries = { camt053: camt053Entries, mt940: mt940Entries, csv: csvOf }[format](text);
    if (entries.length <= MAX_BANK_ENTRIES) return { format, entries };
    throw new InvalidArgument(
      `it has ${entries.length} entries, and a file can have ${MAX_BANK_ENTRIES}: split it`,
    );
  } catch (error) {
    if (!(error instanceof InvalidArgument)) throw error;
    throw new InvalidArgument(`${name} cannot be imported as ${format}: ${error.message}`);
  }

  function csvOf(content: string) {
    return bankCsvEntries(content, csv);
  }
}

function formatOf(text: string): BankFormat {
  if (/^\s*</.test(text)) return 'camt053';
  return /^(\{1:|:20:)/m.test(text) ? 'mt940' : 'csv';
}

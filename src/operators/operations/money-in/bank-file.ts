/** Reads a bank's file in any of the formats. A pure function of bytes and settings, linear in the size of the file. */
import type { BankFormat, BankStatement } from '../../../domain/funding/bank-statement';
import type { BankCsv } from '../../../settings/bank-csv';
import { InvalidArgument, type GivenFile } from '../arguments';
import { decodedText } from '../files/text-encoding';
import { csvStatements } from './bank-csv';
import { camt053Statements } from './camt053';
import { mt940Statements } from './mt940';
import { EntryCount } from './entry-count';
import { isZip, unzipped } from './zip-files';

export interface BankFileSettings {
  /** Undefined: no CSV can be read. */
  csv: BankCsv | undefined;
}

export interface ReadBankFile {
  format: BankFormat;
  /** In the sequence of the file. Empty for a CSV file with its header only whose account is a column. */
  statements: BankStatement[];
}

/**
 * Reads the file in the format that its content has: camt.053, MT940, CSV, or a ZIP file of camt.053 or MT940 files, in the sequence of
 * their names. At most 10,000 entries: a booking has one for each of its parts. Throws `InvalidArgument`, which names the file and the
 * line, also for a file in which no statement is found.
 */
export async function readBankFile({ name, bytes }: GivenFile, settings: BankFileSettings): Promise<ReadBankFile> {
  const count = new EntryCount();
  if (!isZip(bytes)) return readOne({ name, bytes }, settings, count);
  const files = await unzipped({ name, bytes });
  const read = files.map((file) => readOne(file, 'zipped', count));
  const [first] = read;
  const other = read.findIndex(({ format }) => format !== first?.format);
  if (!first) throw new InvalidArgument(`${name} has no file`);
  if (other > 0)
    throw new InvalidArgument(
      `${files[other]?.name} is ${read[other]?.format}, and ${files[0]?.name} ${first.format}: import them apart`,
    );
  return { format: first.format, statements: read.flatMap(({ statements }) => statements) };
}

function readOne({ name, bytes }: GivenFile, settings: BankFileSettings | 'zipped', count: EntryCount): ReadBankFile {
  const binary = binaryKind(bytes);
  if (binary !== undefined)
    throw new InvalidArgument(`${name} is ${binary}. Download the statement as camt.053, MT940 or CSV`);
  const text = decodedText(bytes);
  if (text.trim() === '') throw new InvalidArgument(`${name} is empty`);
  const format = formatOf(text);
  if (format === 'csv' && settings === 'zipped')
    throw new InvalidArgument(`${name} is neither camt.053 nor MT940: a ZIP file can have only these`);
  try {
    return { format, statements: statementsIn(text, format, settings, count) };
  } catch (error) {
    if (!(error instanceof InvalidArgument)) throw error;
    throw new InvalidArgument(`${name} cannot be imported as ${format}: ${error.message}`);
  }
}

function statementsIn(
  text: string,
  format: BankFormat,
  settings: BankFileSettings | 'zipped',
  count: EntryCount,
): BankStatement[] {
  switch (format) {
    case 'camt053':
      return camt053Statements(text, count);
    case 'mt940':
      return mt940Statements(text, count);
    case 'csv':
      return csvStatements(text, settings === 'zipped' ? undefined : settings.csv, count);
  }
}

/** In characters. A message of SWIFT begins there. */
const MAX_HEAD = 4_096;

function formatOf(text: string): BankFormat {
  const head = text.slice(0, MAX_HEAD);
  if (/^\s*</.test(head)) return 'camt053';
  return /^(\{1:|:20:)/m.test(head) ? 'mt940' : 'csv';
}

/** How files begin that people mistake for statements, in hexadecimal digits. */
const beginnings: readonly (readonly [string, string])[] = [
  ['25504446', 'a PDF'],
  // A ZIP file in a ZIP file.
  ['504b0304', 'a ZIP file'],
  ['d0cf11e0', 'a workbook of Excel'],
  ['1f8b', 'a compressed file (gzip)'],
  ['ffd8ff', 'a picture'],
  ['89504e47', 'a picture'],
];

function binaryKind(bytes: Uint8Array): string | undefined {
  const begin = Buffer.from(bytes.subarray(0, 4)).toString('hex');
  return beginnings.find(([signature]) => begin.startsWith(signature))?.[1];
}

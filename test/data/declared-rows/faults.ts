/** Compares statements with what PostgreSQL says of them. */
import ts from 'typescript';
import type { Database } from '../../../src/data/database/database';
import { readCatalogue } from './catalogue';
import { fits, kindsOf, mayBeNull, nameOfKind, rowsIn, type Kind } from './column-types';
import { Descriptions, type Described } from './description';
import { areAlwaysNull, Nullability } from './nullability';
import type { Statement } from './statements';

const createsTable = /^\s*CREATE TEMP/;

interface Known {
  checker: ts.TypeChecker;
  kinds: ReadonlyMap<number, Kind>;
  nullability: Nullability;
}

/** What is wrong with one statement. */
export interface Fault {
  owner: string;
  place: string;
  says: string;
}

/** What is wrong with the statements: each fault once, although several texts may have it. */
export async function faultsOf(
  statements: readonly Statement[],
  checker: ts.TypeChecker,
  { url, database }: { url: string; database: Database },
): Promise<Fault[]> {
  const faults = new Map<string, Fault>();
  const report = ({ owner, place }: Statement, says: string) => faults.set(`${place} ${says}`, { owner, place, says });
  for (const statement of statements)
    for (const says of statement.bindings.faultsFor(statement.texts) ?? ['the names of its values are unknown'])
      report(statement, says);
  const described = await describe(url, statements, report);
  const ids = [...described.values()].flatMap(({ columns }) => columns.map(({ dataTypeID }) => dataTypeID));
  const kinds = await kindsOf(database, [...new Set(ids)]);
  const known = { checker, kinds, nullability: new Nullability(await readCatalogue(database)) };
  for (const statement of statements)
    for (const text of statement.texts)
      for (const says of faultsOfRow(statement, described.get(text), known)) report(statement, says);
  return [...faults.values()];
}

/** The statements that this server rejects, with its errors. */
export async function rejectedAt(url: string, statements: readonly Statement[]): Promise<Fault[]> {
  const rejected: Fault[] = [];
  await describe(url, statements, ({ owner, place }, says) => rejected.push({ owner, place, says }));
  return rejected;
}

/** Lets PostgreSQL describe each text. Reports those that it rejects. */
async function describe(
  url: string,
  statements: readonly Statement[],
  report: (statement: Statement, says: string) => void,
): Promise<Map<string, Described>> {
  const descriptions = await Descriptions.open(url);
  try {
    const texts = new Set(statements.flatMap((statement) => statement.texts));
    for (const text of texts) if (createsTable.test(text)) await descriptions.create(text);
    const ofRows = new Set(statements.flatMap(({ row, texts: own }) => (row ? own : [])));
    const described = new Map<string, Described>();
    for (const text of texts) {
      try {
        described.set(text, await descriptions.of(text, ofRows.has(text)));
      } catch (error) {
        for (const statement of statements)
          if (statement.texts.includes(text)) report(statement, `PostgreSQL rejects it: ${String(error)}: ${text}`);
      }
    }
    return described;
  } finally {
    await descriptions.close();
  }
}

/** Nothing if the columns fit one of the rows that the call declares. */
function faultsOfRow({ row }: Statement, described: Described | undefined, known: Known): readonly string[] {
  if (!row || !described) return [];
  const ofEach = rowsIn(row).map((each) => [...faultsOfOne(each, row, described, known)]);
  return ofEach.toSorted((one, other) => one.length - other.length)[0] ?? [];
}

/** Columns with functions that act. Nobody reads what they return. */
const unread = new Set(['set_config', 'event_id']);

function* faultsOfOne(
  row: ts.Type,
  all: ts.Type,
  { columns, query }: Described,
  { checker, kinds, nullability }: Known,
): Iterable<string> {
  const alwaysNull = query ? areAlwaysNull(query) : [];
  const nullable = query ? nullability.ofColumns(query) : [];
  const declared = new Map(row.getProperties().map((property) => [property.name, property]));
  const names = columns.map(({ name }) => name);
  for (const [name, { flags }] of declared)
    if (!names.includes(name) && !(flags & ts.SymbolFlags.Optional)) yield `no column is "${name}"`;
  if (row.getStringIndexType()) return;
  for (const [index, { name, dataTypeID }] of columns.entries()) {
    const property = declared.get(name);
    if (!property) {
      if (!unread.has(name)) yield `the column "${name}" is not declared`;
      continue;
    }
    const type = checker.getTypeOfSymbol(property);
    const kind = kinds.get(dataTypeID) ?? 'json';
    if (!alwaysNull[index] && !fits(checker, kind, type))
      yield `"${name}" is ${nameOfKind(kind)}, and declared as ${checker.typeToString(type)}`;
    if (nullable[index] && !rowsIn(all).some((each) => isNullIn(each, name, checker))) yield `"${name}" may be null`;
  }
}

function isNullIn(row: ts.Type, name: string, checker: ts.TypeChecker): boolean {
  const property = row.getProperty(name);
  return property !== undefined && mayBeNull(checker.getTypeOfSymbol(property));
}

/**
 * The tables of fields in docs/specification.md, made from the schemas of charges and orders. A schema is the only place that
 * describes its fields, and docs/clients/openapi.json has those of every schema. docs/developers/api-reference.md.
 */
import type { Node } from '../../src/api/openapi/operation-object';
import type { Schema } from '../../src/api/openapi/schema';

/** Below each heading, the schemas of the views of one resource, by their names in the table. */
const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Charges result': { vouchers: 'VoucherCharges', 'top-ups and eSIMs': 'Charges' },
  'Voucher order': { list: 'VoucherOrderItem', read: 'VoucherOrder', request: 'CreatedVoucherOrder' },
  'Top-up order': { list: 'TopupOrderItem', 'single order': 'TopupOrder' },
  'eSIM order': { list: 'EsimOrderItem', 'single order': 'EsimOrder' },
};

/** The names of the schemas in the tables. */
export const tabulatedSchemas: ReadonlySet<string> = new Set(
  Object.values(tables).flatMap((views) => Object.values(views)),
);

/** Returns the page with its tables made anew from the document. Throws if a heading has no table of fields below it. */
export function withFieldTables(page: string, document: Node): string {
  const { schemas } = document['components'] as { schemas: Readonly<Record<string, Property>> };
  return Object.entries(tables).reduce((text, [heading, views]) => {
    const [before, section] = splitAt(text, new RegExp(`^#{2,3} ${heading}$`, 'm'), `the heading ${heading}`);
    const [introduction, table] = splitAt(section, /^\| field \|/m, `a table of fields below ${heading}`);
    if (/^#/m.test(introduction.replace(/^#+/, ''))) throw new Error(`No table of fields below ${heading}`);
    const rest = table.replace(/^(\|.*\n)+/, '');
    return `${before}${introduction}${tableOf(views, schemas)}\n${rest}`;
  }, page);
}

function splitAt(text: string, pattern: RegExp, what: string): [before: string, after: string] {
  const index = text.search(pattern);
  if (index < 0) throw new Error(`The specification lacks ${what}`);
  return [text.slice(0, index), text.slice(index)];
}

/** A schema of the document, in which a named schema is a reference. */
type Property = Schema & { readonly $ref?: string };
type Schemas = Readonly<Record<string, Property>>;

function tableOf(views: Readonly<Record<string, string>>, schemas: Schemas): string {
  const fields = new Map<string, Map<string, Cells>>();
  for (const [view, schema] of Object.entries(views)) {
    for (const [field, cells] of fieldsOf(named(schema, schemas), schemas)) {
      fields.set(field, (fields.get(field) ?? new Map<string, Cells>()).set(view, cells));
    }
  }
  const all = Object.keys(views).length;
  const header = ['field', 'type', 'meaning', 'in'];
  const rows = [...fields].map(([field, cells]) => [
    `\`${field}\``,
    merged(cells, 'type', '; '),
    merged(cells, 'meaning', ' '),
    cells.size === all ? 'all' : [...cells.keys()].join(', '),
  ]);
  const line = (row: readonly string[]) => `| ${row.join(' | ')} |`;
  return [line(header), `|${'---|'.repeat(header.length)}`, ...rows.map(line)].join('\n');
}

interface Cells {
  type: string;
  meaning: string;
}

/** The text of a cell: once if all views have the same, else for each view. */
function merged(cells: ReadonlyMap<string, Cells>, key: keyof Cells, separator: string): string {
  const viewsOf = new Map<string, string[]>();
  for (const [view, { [key]: text }] of cells) viewsOf.set(text, [...(viewsOf.get(text) ?? []), view]);
  if (viewsOf.size === 1) return [...viewsOf.keys()].join('');
  return [...viewsOf].map(([text, views]) => `${views.join(', ')}: ${text}`).join(separator);
}

/** The fields of an object. Those of its inner objects are in the document. */
function fieldsOf(schema: Property, schemas: Schemas): [name: string, cells: Cells][] {
  return Object.entries(schema.properties ?? {}).map(([name, field]: [string, Property]) => [
    name,
    { type: `${typeOf(field, schemas)}${presenceOf(name, schema)}`, meaning: meaningOf(field, schemas) },
  ]);
}

function presenceOf(name: string, { required = [], if: condition, then }: Property): string {
  if (required.includes(name)) return '';
  if (then?.required?.includes(name) !== true) return ', optional';
  const conditions = Object.entries(condition?.properties ?? {}).map(
    ([key, value]) => `\`${key}\` is ${String(value.const)}`,
  );
  return `, if ${conditions.join(' and ')}`;
}

function meaningOf({ $ref, description = '' }: Property, schemas: Schemas): string {
  const target = $ref === undefined ? undefined : named($ref.split('/').at(-1) ?? '', schemas);
  // The table of an object has its description.
  const shown = target && !target.properties ? (target.description ?? '') : description;
  return shown.replaceAll('|', '\\|');
}

/** Longer enums are explained elsewhere on the page. */
const MAX_LISTED_VALUES = 6;

function typeOf(schema: Property, schemas: Schemas): string {
  if (schema.$ref !== undefined) return typeOf(named(schema.$ref.split('/').at(-1) ?? '', schemas), schemas);
  if (schema.anyOf) return alternatives(schema.anyOf.map((each) => typeOf(each, schemas)));
  const types = [schema.type ?? []].flat();
  const values = (schema.enum ?? schema['x-extensible-enum'] ?? []).filter(
    (value) => typeof value === 'string',
  );
  const isListed = values.length > 0 && values.length <= MAX_LISTED_VALUES;
  const isOnlyNull = schema.maxLength === 0;
  const names = isListed
    ? values.map((value) => `\`${value}\``)
    : types.filter((type) => type !== 'null' && !isOnlyNull).map((type) => nameOfType(type, schema, schemas));
  return alternatives([...names, ...(types.includes('null') ? ['null'] : [])]);
}

function alternatives(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' or ');
}

function named(name: string, schemas: Schemas): Property {
  const schema = schemas[name];
  if (!schema) throw new Error(`The document has no schema ${name}`);
  return schema;
}

function nameOfType(type: string, schema: Property, schemas: Schemas): string {
  if (type === 'array')
    return schema.items?.properties ? 'list of objects' : `list of ${typeOf(schema.items ?? {}, schemas)}`;
  if (type === 'string') {
    const { format, maxLength } = schema;
    if (format === 'date-time') return 'time';
    return maxLength === undefined ? 'text' : `text of at most ${maxLength} characters`;
  }
  const { minimum, maximum } = schema;
  const hasRange = minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  return hasRange ? `${type} from ${minimum} to ${maximum.toLocaleString('en')}` : type;
}

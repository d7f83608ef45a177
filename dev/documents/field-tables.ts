/**
 * The tables of fields in docs/specification.md, made from the schemas of charges and orders. A schema is the only place that
 * describes its fields. docs/clients/openapi.json has every schema, with its types. docs/developers/api-reference.md.
 */
import type { Node } from '../../src/api/openapi/operation-object';
import type { Schema } from '../../src/api/openapi/schema';

/** Below each heading, the schemas of the views of one resource, by their names in the table. */
const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Charges result': { vouchers: 'VoucherCharges', 'top-ups and eSIMs': 'Charges' },
  'Voucher order': { list: 'VoucherOrderItem', read: 'VoucherOrder', request: 'CreatedVoucherOrder' },
  'Top-up order': {
    'top-up list': 'TopupOrderItem',
    'top-up': 'TopupOrder',
    'eSIM list': 'EsimOrderItem',
    eSIM: 'EsimOrder',
  },
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
  const fields = new Map<string, Map<string, string>>();
  for (const [view, schema] of Object.entries(views)) {
    for (const [field, property] of Object.entries(named(schema, schemas).properties ?? {})) {
      const meanings = fields.get(field) ?? new Map<string, string>();
      fields.set(field, meanings.set(view, meaningOf(property, schemas)));
    }
  }
  const all = Object.keys(views).length;
  const rows = [...fields].map(([field, meanings]) => [
    `\`${field}\``,
    merged(meanings),
    meanings.size === all ? 'all' : [...meanings.keys()].join(', '),
  ]);
  const line = (row: readonly string[]) => `| ${row.join(' | ')} |`;
  return [line(['field', 'meaning', 'in']), '|---|---|---|', ...rows.map(line)].join('\n');
}

/** The meaning: once if all views have the same, else for each view. */
function merged(meanings: ReadonlyMap<string, string>): string {
  const viewsOf = new Map<string, string[]>();
  for (const [view, text] of meanings) viewsOf.set(text, [...(viewsOf.get(text) ?? []), view]);
  if (viewsOf.size === 1) return [...viewsOf.keys()].join('');
  return [...viewsOf].map(([text, views]) => `${views.join(', ')}: ${text}`).join(' ');
}

function meaningOf({ $ref, description = '' }: Property, schemas: Schemas): string {
  const target = $ref === undefined ? undefined : named($ref.split('/').at(-1) ?? '', schemas);
  return (target?.description ?? description).replaceAll('|', '\\|');
}

function named(name: string, schemas: Schemas): Property {
  const schema = schemas[name];
  if (!schema) throw new Error(`The document has no schema ${name}`);
  return schema;
}

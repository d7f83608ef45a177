/** The operations as the operators' API describes them. docs/operators/api.md. */
import { words } from '../../parts/src/format';
import { pageText } from './parts/page-text';

/** How a form asks for an argument. */
export type ControlKind =
  | 'text'
  | 'number'
  | 'decimal'
  | 'day'
  | 'month'
  | 'time'
  | 'choice'
  | 'choices'
  | 'list'
  | 'numbers'
  | 'object'
  | 'check'
  | 'switch'
  | 'file'
  | 'secret';

/** What an argument can name, so that a person picks it from a list. */
const subjects = ['client', 'supplier', 'wallet', 'product'] as const;
export type Subject = (typeof subjects)[number];

export interface ArgumentView {
  /** As the API takes it. */
  name: string;
  about: string;
  kind: ControlKind;
  isRequired: boolean;
  choices: readonly string[];
  /** What it names, which a person picks from a list. */
  subject: Subject | undefined;
  /** The value without the argument. */
  standard: string | undefined;
  /** How a value is written. */
  example: string | undefined;
  /** The browser must not remember the value. */
  isConfidential: boolean;
  /** What `no` of a switch does. */
  opposite: string | undefined;
  /** A list, to which other arguments add and from which they take. */
  hasParts: boolean;
}

export interface OperationView {
  name: string;
  /** What it is about, such as `Service accounts`. */
  subject: string;
  /** What its button says. */
  button: string;
  about: string;
  effect: 'reads' | 'changes' | 'money';
  /** It changes neither money nor access, and needs no second factor. */
  isHarmless: boolean;
  path: string;
  isLong: boolean;
  hasPreview: boolean;
  /** Whether the result is a document instead of data. */
  isDocument: boolean;
  /** The arguments that say whose stored values it changes; empty if it changes none that are read. Its form begins with them. */
  presentOf: readonly string[];
  /** A call replaces all these values. */
  isWhole: boolean;
  /** Groups of arguments, by name, of which a call uses one. */
  alternatives: readonly (readonly string[])[];
  arguments: readonly ArgumentView[];
}

/** A heading of the list of operations. */
export interface Group {
  name: string;
  about: string;
}

interface Schema {
  type?: string;
  description?: string;
  default?: string;
  enum?: readonly string[];
  format?: string;
  pattern?: string;
  examples?: readonly string[];
  items?: Schema;
  writeOnly?: boolean;
  'x-opposite'?: string;
  'x-control'?: 'day' | 'month' | 'time' | 'numbers' | 'object' | 'operation';
  /** Of a list with commas: its items. */
  'x-choices'?: readonly string[];
  /** What it names, if its own name does not say it. */
  'x-subject'?: string;
}

interface Described {
  summary: string;
  'x-button': string;
  'x-roles': readonly string[];
  'x-effect': OperationView['effect'];
  'x-second-factor'?: boolean;
  'x-long'?: boolean;
  'x-present'?: readonly string[];
  'x-present-whole'?: boolean;
  'x-alternatives'?: OperationView['alternatives'];
  parameters?: readonly unknown[];
  requestBody: {
    content: {
      'application/json': { schema: { required?: readonly string[]; properties: Readonly<Record<string, Schema>> } };
    };
  };
  responses: { 200: { content: Readonly<Record<string, unknown>> } };
}

/** The part of the OpenAPI document that pages need. */
export interface OpsDocument {
  tags: readonly { name: string; description: string }[];
  paths: Readonly<Record<string, { post: Described }>>;
}

const PREFIX = '/ops/v1/';

export function groupsOf({ tags }: OpsDocument): Group[] {
  return tags.map(({ name, description }) => ({ name: subjectIn(name), about: description }));
}

/** The first word of a name is its subject. */
function subjectIn(name: string): string {
  return words(name.replace(/ .*/, '').replaceAll('-', '_'));
}

/** What a rule about a second person may be about. */
const ruled = new Map([
  ['FUND', 'Fundings of wallets'],
  ['ADJUST', 'Adjustments of wallets'],
  ['CREDIT_LIMIT', 'Increases of credit limits'],
  ['REFUND', 'Refunds after delivery'],
  ['REFUNDS_IMPORT', 'Refunds by file'],
  ['PRICE', 'Large changes of prices and rates'],
]);

/** `wallets credit-limit` becomes `Wallets: credit limit`, also for a role without the operation. */
export function operationInWords(name: string): string {
  const kind = ruled.get(name);
  if (kind !== undefined) return kind;
  const rest = name.replace(/^\S+ ?/, '').replaceAll('-', ' ');
  return rest === '' ? subjectIn(name) : `${subjectIn(name)}: ${rest}`;
}

/** The operations that the role may use. */
export function operationsOf({ paths }: OpsDocument, role: string): OperationView[] {
  return Object.entries(paths)
    .filter(([, { post }]) => post['x-roles'].includes(role))
    .map(([path, { post }]) => {
      const { required = [], properties } = post.requestBody.content['application/json'].schema;
      const name = nameOf(path);
      return {
        name,
        subject: subjectIn(name),
        button: post['x-button'],
        about: pageText(post.summary),
        effect: post['x-effect'],
        isHarmless: post['x-effect'] === 'changes' && post['x-second-factor'] !== true,
        path,
        isLong: post['x-long'] ?? false,
        hasPreview: post.parameters !== undefined,
        presentOf: post['x-present'] ?? [],
        isWhole: post['x-present-whole'] ?? false,
        alternatives: post['x-alternatives'] ?? [],
        isDocument: 'text/plain' in post.responses[200].content,
        arguments: Object.entries(properties).map(([name, schema]) =>
          withParts(argumentOf(name, schema, required.includes(name), paths), properties),
        ),
      };
    });
}

function argumentOf(name: string, schema: Schema, isRequired: boolean, paths: OpsDocument['paths']): ArgumentView {
  const { enum: listed, items = {}, 'x-choices': choices = items['x-choices'] } = schema;
  return {
    name,
    about: pageText(schema.description ?? ''),
    kind: kindOf(schema),
    isRequired,
    choices: listed ?? choices ?? (schema['x-control'] === 'operation' ? changesIn(paths) : []),
    subject: subjectOf(name, schema),
    standard: schema.default,
    example: (schema.items ?? schema).examples?.[0],
    isConfidential: schema.writeOnly ?? false,
    opposite: schema['x-opposite'],
    hasParts: false,
  };
}

/** The argument, which is a list of its own lines if other arguments add to it and take from it. */
function withParts(argument: ArgumentView, properties: Readonly<Record<string, Schema>>): ArgumentView {
  const { name, kind } = argument;
  if (!(`add_${name}` in properties) || !(`remove_${name}` in properties)) return argument;
  return { ...argument, hasParts: true, kind: kind === 'text' ? 'list' : kind };
}

/** The names of the operations that change something, of every role. */
function changesIn(paths: OpsDocument['paths']): string[] {
  return Object.entries(paths)
    .filter(([, { post }]) => post['x-effect'] !== 'reads')
    .map(([path]) => nameOf(path));
}

const nameOf = (path: string) => path.slice(PREFIX.length).replaceAll('/', ' ');

/** What the argument names. */
function subjectOf(name: string, { type, enum: choices, 'x-subject': named = name }: Schema): Subject | undefined {
  if (choices || type === 'array') return undefined;
  return subjects.find((subject) => subject === named);
}

/** The values of the operations that are exact decimals: src/operators/operations/kinds.ts. */
const DECIMAL = String.raw`^-?[0-9]{1,18}(\.[0-9]{1,18})?$`;

function kindOf(schema: Schema): ControlKind {
  if (schema.type === 'boolean') return schema['x-opposite'] === undefined ? 'check' : 'switch';
  if (schema.type === 'object') return 'file';
  if (schema.type === 'array') return schema.items?.['x-control'] === 'numbers' ? 'numbers' : 'list';
  if (schema.enum) return 'choice';
  if (schema['x-choices']) return 'choices';
  if (schema.format === 'password') return 'secret';
  const control = schema['x-control'];
  if (control) return control === 'operation' ? 'choice' : control;
  if (schema.pattern === DECIMAL) return 'decimal';
  return schema.type === 'integer' ? 'number' : 'text';
}

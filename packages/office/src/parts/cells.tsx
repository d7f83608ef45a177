/** Values of rows as people read them. */
import type { ComponentChildren } from 'preact';
import { At, Breakable, Figure, Status } from '../../../parts/src/basics';
import { amountOnly, asSentence, decimalShown, money, words } from '../../../parts/src/format';
import { featureOf } from '../families';
import { operationInWords } from '../operations';
import { hrefOf } from '../route';
import { specialObject } from './audited-object';
import { pageText } from './page-text';

export type Row = Readonly<Record<string, unknown>>;

export function isRows(data: unknown): data is readonly Row[] {
  return (
    Array.isArray(data) &&
    data.length > 0 &&
    data.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row))
  );
}

/** The columns of the rows, without those that are empty in all of them. */
export function columnsOf(rows: readonly Row[]): string[] {
  return filledOf([...new Set(rows.flatMap((row) => Object.keys(row)))], rows);
}

/** The columns that have a value in a row. */
export function filledOf(columns: readonly string[], rows: readonly Row[]): string[] {
  return columns.filter((name) => rows.some((row) => !isEmpty(row[name])));
}

/** The values of a row as facts, without the empty ones. */
export function factsOf(row: Row) {
  return Object.entries(row)
    .filter(([, value]) => !isEmpty(value))
    .map(([name, value]) => [captionOf(name), <Cell name={name} value={value} row={row} />] as const);
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === null || value === undefined || value === '';
}

/** The caption of a column: `cost_percent` and `costPercent` become `Cost percent`, `is_default` becomes `Default`. */
export function captionOf(name: string): string {
  const plain = name.replace(/^is_/, '').replace(/^(currency|country)_code$/, '$1');
  const caption = words(plain.replace(/[A-Z]/g, (letter) => ` ${letter}`));
  return caption.replace(/\b(id|sku|url|gst)\b/gi, (word) => word.toUpperCase());
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/;
/** A day or a month, which is not broken into lines. */
const period = /^\d{4}-\d\d(-\d\d)?$/;
const decimal = /^-?\d+(\.\d+)?$/;
/** One of our codes, such as a family or a failure code. Codes of currencies and countries are shorter. */
const code = /^[A-Z]{4,}(_[A-Z]+)*$|^[A-Z]+(_[A-Z]+)+$/;

/** The columns of texts that people and suppliers wrote. They may look like a number or a code, and stay as they are. */
const written = new Set([
  'name',
  'product_name',
  'product',
  'sku',
  'label',
  'group',
  'client_group',
  'machine',
  'note',
  'client_reference',
  'reference',
  'supplier_order_id',
  'reason',
  'text',
  'remarks',
  'by',
  'taken_by',
  'operator',
  'proposer',
  'approver',
  'decided_by',
]);

/** The columns whose decimals are amounts in the currency of their row. */
const amounts = new Set([
  'amount',
  'balance',
  'opening',
  'closing',
  'credit_limit',
  'available',
  'total_payable',
  'sold',
  'refunded',
  'redeemed',
  'supplier_credits',
  'cost',
  'margin',
  'currency_difference',
  'low_balance_threshold',
  'sold_at_unknown_cost',
  'cost_at_client_rates',
]);

/** The last words of columns whose numbers name something. */
const naming = /(^|_)(id|number|order|product|line|unit|wallet|claim|offer|entry|rule|variant|source)$/;

/** The columns of amounts and counts among these, by their captions. */
export function numbersAmong(names: readonly string[], rows: readonly Row[]): string[] {
  const isCount = (name: string) => !naming.test(name) && rows.some((row) => typeof row[name] === 'number');
  return names.filter((name) => amounts.has(name) || isCount(name)).map(captionOf);
}

/** A decimal with the digits of its currency, or without zeros at its end, and with the separators of the reader. */
function decimalOf(name: string, text: string, row: Row): string {
  const currency = row['currency'] ?? row['currency_code'];
  if (amounts.has(name) && typeof currency === 'string') return amountOnly(text, currency);
  return text.includes('.') ? decimalShown(text.replace(/\.?0+$/, '')) : text;
}

/** A duration as people read it. */
export function secondsText(seconds: number): string {
  if (seconds >= 120) return `${Math.round(seconds / 60)} min`;
  return `${seconds >= 10 ? Math.round(seconds) : Math.round(seconds * 10) / 10} s`;
}

/** A schedule, such as `maintenance` or `maintenance-suppliers`, and its task. */
const schedule = /^maintenance(?:-([a-z-]+))?$/;

/** One of our codes in words. Any other text stays unchanged. */
export function codeInWords(text: string): string {
  const [name, task = name] = schedule.exec(text) ?? [];
  if (task !== undefined) return words(task.replaceAll('-', '_'));
  return code.test(text) ? words(text) : text;
}

/** A value that an argument lists, such as `orders:vouchers`. */
export function choiceText(argument: string, choice: string): string {
  if (argument === 'operation' || argument === 'command') return operationInWords(choice);
  const text = codeInWords(choice);
  return text === choice ? words(choice.replaceAll('-', '_').replace(':', ': ')) : text;
}

interface CellProps {
  name: string;
  value: unknown;
  row: Row;
  /** Whether an amount has the currency of its row beside it. */
  withCurrency?: boolean;
}

/** One value. An id of an order or a client is a link to its page. */
export function Cell({ name, value, row, withCurrency = false }: CellProps): ComponentChildren {
  if (isEmpty(value)) return null;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const href = linkOf(name, value, row);
  if (href !== undefined)
    return (
      <a href={href}>
        <LongText text={textOf(value)} />
      </a>
    );
  if (typeof value === 'number') return <Figure>{naming.test(name) ? value : decimalShown(String(value))}</Figure>;
  if (Array.isArray(value)) return <LongText text={value.map((item) => inWords(name, textOf(item))).join(', ')} />;
  if (typeof value === 'object') return <LongText text={textOf(value)} />;
  const text = textOf(value);
  if (written.has(name)) return <LongText text={text} />;
  if (period.test(text)) return <Figure>{text}</Figure>;
  if (time.test(text)) return <At time={text} />;
  if (decimal.test(text)) {
    const currency = row['currency'] ?? row['currency_code'];
    const isAmount = amounts.has(name) && typeof currency === 'string' && withCurrency;
    return <Figure>{isAmount ? money(text, currency) : decimalOf(name, text, row)}</Figure>;
  }
  if (name === 'status' || name === 'state') return <Status of={text} />;
  if (name === 'what') return <LongText text={asSentence(pageText(text))} />;
  if (name === 'operation' || name === 'command') return <LongText text={operationInWords(text)} />;
  return <LongText text={name === 'object' ? objectInWords(text, row) : inWords(name, text)} />;
}

/** `wallet/28` becomes `Wallet 28`. */
export function objectInWords(object: string, row: Row): string {
  const [kind = '', ...ids] = object.split('/');
  return pageText(specialObject(object, row) ?? [captionOf(kind), ...ids].join(' '));
}

const inWords = (name: string, text: string) =>
  name === 'class' || name === 'features' ? words(text) : pageText(codeInWords(text));

/** Up to this length, a text stays on one line. */
const SHORT = 24;

function LongText({ text }: { text: string }) {
  return (
    <span class={text.length <= SHORT ? 'short' : 'long'}>
      <Breakable text={text} />
    </span>
  );
}

const orderNames = ['order_id', 'replacement_order_id', 'replaces_order_id'];

function linkOf(name: string, value: unknown, row: Row): string | undefined {
  if (orderNames.includes(name) || (name === 'order' && /^\d+$/.test(textOf(value))))
    return hrefOf('orders', Number(value));
  if (name === 'id' && 'product_name' in row && 'placed_at' in row) return hrefOf('orders', Number(value));
  if (name === 'id' && 'due_at' in row && 'outcome' in row) return hrefOf('claims', Number(value));
  if (name === 'client' && typeof value === 'string') return hrefOf('clients', textOf(row['client_id'] ?? value));
  if (/^product_(id|name)$/.test(name) && typeof row['family'] === 'string' && typeof row['product_id'] === 'number')
    return hrefOf('catalogue', 'products', featureOf(row['family']), row['product_id']);
  return undefined;
}

/** Any value in one line. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .filter(([, part]) => !isEmpty(part))
    .map(([name, part]) => `${captionOf(name)} ${textOf(part)}`)
    .join('; ');
}

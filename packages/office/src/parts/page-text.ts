/**
 * Texts of operations name commands, options and times in UTC, because the ops CLI prints them, too. Pages have buttons and fields,
 * and show times in the zone of the browser.
 */
import { amountOnly, moment, words } from '../../../parts/src/format';

const hints = [
  // `... (decide it with: orders resolve)`
  / \([^()]* with: [^()]*\)/g,
  // `See them with: wallets list`, and ``Release it with `attention release 4`, then retry.``
  /(?<=^|[.:!?]\s)[A-Z][^.:`]* with(?:: | `)(?:[^.]|\.(?=\S))*(?:\.(?= |$)|$)/g,
  // `: add --force to apply it`
  /: add --force to [^.]*(?=\.)/g,
  // `PostgreSQL at DATABASE_URL cannot be used`
  / at (?:DATABASE_URL|TEMPORAL_ADDRESS)\b/g,
];

/** `--reason-code`, as the form names the field. */
const option = /--([a-z]+(?:-[a-z]+)*)/g;

/** A time as programs write it, with milliseconds. A time that shows how to write one has none. */
const time = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** An amount with its currency, as programs write it. A longer decimal is a rate, which has no digits of a currency. */
const amount = /(?<![\w.,:/-])(-?\d+(?:\.\d{1,4})?) ([A-Z]{3})\b/g;

const currencies = new Set(Intl.supportedValuesOf('currency'));

/** A state or a family in a sentence, as the API writes it. */
const state = /\b(is|are) ([A-Z][A-Z_]{3,})\b/g;
const stateChange = /\b([A-Z][A-Z_]{3,}) → ([A-Z][A-Z_]{3,})\b/g;
const family = /\b(VOUCHER|TOPUP|ESIM)(?= product|\))/g;

/** `: old value 5, new value 5.5, difference +0.5 (+10 %)`. */
const change =
  /: old value (\S+), new value ([^\s,]*[^\s,.])(?:, difference (another currency|\S+)(?: \(([^)]*)\))?)?/g;

/** `: 5 → 5.5 (+0.5, +10 %)`. */
const changeShown = (_: string, before: string, after: string, by?: string, percent?: string) =>
  `: ${before} → ${after}${by === undefined ? '' : ` (${[by, percent].filter(Boolean).join(', ')})`}`;

/** The text as a page shows it. A text that is only a hint stays as it is. */
export function pageText(text: string): string {
  const rest = hints.reduce((shorter, hint) => shorter.replace(hint, ''), text).trim();
  const named = rest === '' ? text : rest.replace(/ {2,}/g, ' ');
  return named
    .replace(option, (_, name: string) => `“${words(name.replaceAll('-', '_'))}”`)
    .replace(state, (_, verb: string, code: string) => `${verb} ${words(code).toLowerCase()}`)
    .replace(stateChange, (_, before: string, after: string) => `${words(before)} → ${words(after)}`)
    .replace(family, (code) => words(code).toLowerCase())
    .replace(change, changeShown)
    .replace(time, (at) => moment(at))
    .replace(amount, (text, value: string, code: string) =>
      currencies.has(code) ? `${amountOnly(value, code)} ${code}` : text,
    );
}

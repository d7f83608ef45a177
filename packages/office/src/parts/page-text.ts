/**
 * Texts of operations name commands, options and times in UTC, because the ops CLI prints them, too. Pages have buttons and fields,
 * and show times in the zone of the browser.
 */
import { moment, words } from '../../../parts/src/format';

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

/** The text as a page shows it. A text that is only a hint stays as it is. */
export function pageText(text: string): string {
  const rest = hints.reduce((shorter, hint) => shorter.replace(hint, ''), text).trim();
  const named = rest === '' ? text : rest.replace(/ {2,}/g, ' ');
  return named
    .replace(option, (_, name: string) => `“${words(name.replaceAll('-', '_'))}”`)
    .replace(time, (at) => moment(at));
}

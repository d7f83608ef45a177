import { shownLine } from '../domain/shown-text';

/** The maximum length of a name in the audit. */
const MAX_NAME = 100;

/** The name of a person or service account as the audit and the CLI show it: one line. Empty if the text has nothing to show. */
export function shownName(text: string): string {
  return shownLine(text.slice(0, MAX_NAME));
}

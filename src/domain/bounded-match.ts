import { createContext, Script } from 'node:vm';

/** Longer than any sane pattern takes, short enough that nobody notices the wait. In milliseconds. */
const LONGEST_MATCH = 20;

const bench = createContext({ pattern: '', text: '' });
const match = new Script('new RegExp(pattern).test(text)');

/**
 * Whether the text matches a pattern that came from outside. Catalogues hold whatever a supplier wrote:
 * a pattern that backtracks without end is stopped, so that no input can hold the process up. What
 * cannot be decided, by such a pattern or a broken one, does not match.
 */
export function boundedMatch(pattern: string, text: string): boolean {
  Object.assign(bench, { pattern, text });
  try {
    return match.runInContext(bench, { timeout: LONGEST_MATCH }) === true;
  } catch {
    return false;
  }
}

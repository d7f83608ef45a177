import { createContext, Script } from 'node:vm';

/**
 * Milliseconds by the wall clock, the only one that can stop a pattern: longer than any sane pattern takes, and
 * once more with longer than a busy machine may keep the process from running.
 */
const LIMITS_MS = [20, 200];

const bench = createContext({ pattern: '', text: '' });
const match = new Script('new RegExp(pattern).test(text)');

/**
 * Whether the text matches a pattern that came from outside. Catalogues hold whatever a supplier wrote:
 * a pattern that backtracks without end is stopped, so that no input can hold the process up. What
 * cannot be decided, by such a pattern or a broken one, does not match.
 */
export function boundedMatch(pattern: string, text: string): boolean {
  Object.assign(bench, { pattern, text });
  for (const timeout of LIMITS_MS) {
    try {
      return match.runInContext(bench, { timeout }) === true;
    } catch {
      // Took too long, or is broken.
    }
  }
  return false;
}

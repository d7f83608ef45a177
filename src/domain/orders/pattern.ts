/**
 * The patterns of input fields in catalogues. RE2 compiles and matches them, so that a bad pattern cannot block the process:
 * Node's engine backtracks, and a row of `\b` exhausts its memory. Clients check the same patterns with JavaScript, so a pattern
 * may use only syntax that both engines read in the same way. Exception: `\s` matches only ASCII white space.
 */
import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';

const MAX_LENGTH = 256;
/**
 * The maximum size of a compiled pattern. RE2 expands counted repetitions: `.{0,500}` becomes 1,000 steps. Each character of a value
 * costs at most the time of all steps: 20 ms for the longest value, where 5,000 steps cost 150 ms.
 */
const MAX_STEPS = 1_100;

/** Syntax that RE2 and JavaScript read differently: escapes that are letters in one, POSIX classes and inline flags. */
const ambiguousSyntax = /\\[AzQEaCpPhHkG]|\[\[:|\(\?[a-zA-Z-]+[:)]/;

const compiled = new LRUCache<string, { pattern: RE2JS | undefined }>({ max: 1_000 });

/** The fault of the pattern, as the end of a sentence; undefined if the pattern is valid. */
export function faultOfPattern(pattern: string): string | undefined {
  if (pattern.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  if (!isJavaScript(pattern)) return 'is no regular expression';
  if (ambiguousSyntax.test(pattern)) return 'uses what regular expressions of JavaScript and RE2 read differently';
  const size = compiledOf(pattern)?.programSize();
  if (size === undefined) return 'uses what RE2 does not know, such as look-ahead or a repetition above 1000';
  return size > MAX_STEPS ? 'repeats too much' : undefined;
}

/** Whether the text matches. Nothing matches an invalid pattern. */
export function matchesPattern(pattern: string, text: string): boolean {
  return compiledOf(pattern)?.matcher(text).find() ?? false;
}

function compiledOf(pattern: string): RE2JS | undefined {
  const known = compiled.get(pattern) ?? { pattern: compile(pattern) };
  compiled.set(pattern, known);
  return known.pattern;
}

function compile(pattern: string): RE2JS | undefined {
  if (pattern.length > MAX_LENGTH) return undefined;
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch {
    return undefined;
  }
}

/** Whether JavaScript can parse the pattern. Does not compile it: Node does that only when a pattern is first matched. */
function isJavaScript(pattern: string): boolean {
  try {
    return new RegExp(pattern) instanceof RegExp;
  } catch {
    return false;
  }
}

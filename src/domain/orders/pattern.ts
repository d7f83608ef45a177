/**
 * Patterns of input fields, as they stand in catalogues: whoever wrote them, neither compiling nor matching one may
 * hold the process up. Node's own engine can do neither: it backtracks, and a row of `\b` makes its compiler run out
 * of memory. So they are what JavaScript (with which clients check them) and RE2 (with which we do) both understand; white space is that of ASCII.
 */
import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';

/** Counted repetitions are compiled one by one: `.{0,500}` comes to 1,000 steps. */
const LONGEST = 256;
const MOST_STEPS = 5_000;

/** What RE2 reads otherwise than JavaScript: anchors and classes that are letters there, and POSIX classes. */
const differs = /\\[AzQEaCpPhHkG]|\[\[:|\(\?[a-zA-Z-]+[:)]/;

const compiled = new LRUCache<string, { pattern: RE2JS | undefined }>({ max: 1_000 });

/** What is wrong with a pattern, or undefined where nothing is. */
export function faultOfPattern(pattern: string): string | undefined {
  if (pattern.length > LONGEST) return `is longer than ${LONGEST} characters`;
  if (!isJavaScript(pattern)) return 'is no regular expression';
  if (differs.test(pattern)) return 'uses what regular expressions of JavaScript and RE2 read differently';
  const steps = compiledOf(pattern)?.programSize();
  if (steps === undefined)
    return 'uses what RE2 does not know, such as look-ahead or a repetition above 1000';
  return steps > MOST_STEPS ? 'repeats too much' : undefined;
}

/** Whether the text matches. What cannot be decided, because the pattern is broken or too long, does not match. */
export function matchesPattern(pattern: string, text: string): boolean {
  return compiledOf(pattern)?.matcher(text).find() ?? false;
}

function compiledOf(pattern: string): RE2JS | undefined {
  const known = compiled.get(pattern) ?? { pattern: compile(pattern) };
  compiled.set(pattern, known);
  return known.pattern;
}

function compile(pattern: string): RE2JS | undefined {
  if (pattern.length > LONGEST) return undefined;
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch {
    return undefined;
  }
}

/** Only reads it: Node compiles a pattern when it is first used. */
function isJavaScript(pattern: string): boolean {
  try {
    return new RegExp(pattern) instanceof RegExp;
  } catch {
    return false;
  }
}

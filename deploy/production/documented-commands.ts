/** Reads commands in the words of a page, so that a proof runs what an operator reads. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../../dev/stack/problem';
import { ROOT } from '../../dev/stack/run-directory';

/**
 * Returns the commands between backticks of an item of a list, in its order, each on one line. The item is the first one below the
 * heading that begins with `start`, and ends with the next item or an empty line. Throws a message if the page has no such item.
 */
export function commandsOfItem(page: string, heading: string, start: string): string[] {
  const [, section = ''] = readFileSync(join(ROOT, page), 'utf8').split(`\n${heading}\n`);
  const item = section.split(/\n(?= *(?:-|\d+\.) |\n)/).find((part) => part.trimStart().startsWith(start));
  if (item === undefined) throw new Problem(`${page} has no item "${start}" below "${heading}".`);
  return [...item.matchAll(/`([^`]+)`/g)].map(([, command = '']) => command.replaceAll(/\s+/g, ' '));
}

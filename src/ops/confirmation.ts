/** Dangerous calls: a person at a terminal is asked first, and calls that move money or change prices give a reason. */
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import * as read from './arguments';
import { printable } from './output';

/** Lets the command be confirmed beforehand. */
export function dangerous(command: Command): Command {
  return command.option('-y, --yes', 'do it without asking; without a terminal nothing is asked');
}

/** Asks whoever sits at a terminal. Throws a sentence where the answer is not yes. `what`: what will happen, in figures. */
export async function confirm(command: Command, what: string): Promise<void> {
  const { stdin, stderr } = process;
  if (command.opts<{ yes?: boolean }>().yes || !stdin.isTTY) return;
  const terminal = createInterface({ input: stdin, output: stderr });
  try {
    const answer = await terminal.question(`${printable(what)} Go on? [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new Error('Nothing was done.');
  } finally {
    terminal.close();
  }
}

/** Demands a reason, which the audit keeps. */
export function reasoned(command: Command): Command {
  return command.requiredOption('--reason <text>', 'why, kept in the audit', read.reason);
}

/** Throws a sentence if the command was given no reason. `what`: what needs one. */
export function requireReason(command: Command, what: string): void {
  if (command.opts<{ reason?: string }>().reason === undefined)
    throw new Error(`${what} needs a reason, which the audit keeps: add --reason "<why>".`);
}

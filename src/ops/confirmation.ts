/** Dangerous calls: whoever types one is asked first; for a script the call itself is the confirmation. */
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';

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
    const answer = await terminal.question(`${what} Go on? [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new Error('Nothing was done.');
  } finally {
    terminal.close();
  }
}

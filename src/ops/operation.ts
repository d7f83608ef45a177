/** Who calls the tool, for what, and why: written down with what the command changes. */
import { userInfo } from 'node:os';
import type { Command } from 'commander';
import type { Operation } from '../data/database/database';

/** One command is run in a process at a time. */
let current: Operation | undefined;

/** The command that runs; undefined where none does, as in the seeding of sandboxes. */
export function currentOperation(): Operation | undefined {
  return current;
}

/** Notes that a command begins. */
export function beginOperation(command: Command): void {
  // The reference of money that was received is the reason for its entry.
  const {
    operator,
    reference,
    reason = reference,
  } = command.optsWithGlobals<{
    operator?: string;
    reason?: string;
    reference?: string;
  }>();
  current = { command: pathOf(command), operator: operator ?? operatorHere(), reason };
}

/** The words that call a command: `wallets fund`. */
export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}`.trim() : '';
}

/** OPS_OPERATOR, or the user of this machine. A container may run as a number without a name. */
function operatorHere(): string {
  if (process.env['OPS_OPERATOR']) return process.env['OPS_OPERATOR'];
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

import { Command } from 'commander';
import { addAttentionCommands } from './commands/attention';
import { addAuditCommands } from './commands/audit';
import { addCatalogueCommands } from './commands/catalogue';
import { addClientCommands } from './commands/clients';
import { addDeployCommands } from './commands/deploy';
import { addKeyCommands } from './commands/keys';
import { addLedgerCommands } from './commands/ledger';
import { addOrderCommands } from './commands/orders';
import { addMailCommands } from './commands/mail';
import { addRateCommands } from './commands/rates';
import { addReconcileCommand } from './commands/reconcile';
import { addSecretKeyCommands } from './commands/secret-keys';
import { addClientPricingCommands } from './commands/client-pricing';
import { addRestoreCommands } from './commands/restore';
import { addReplayCommand } from './commands/replay';
import { addSchemaCommand } from './commands/schema';
import { addWalletCommands } from './commands/wallets';
import { addWebhookCommands } from './commands/webhooks';
import * as read from './arguments';
import { beginOperation, pathOf } from './operation';

/** All commands of the operators. What goes wrong in one is thrown; see `sentenceOf`. */
export function opsProgram(): Command {
  const program = new Command('ops')
    .description('Operates the Digital Goods Ordering Service')
    .option('--json', 'print JSON instead of a table')
    .option(
      '--operator <name>',
      'who you are, kept in the audit; OPS_OPERATOR or your user name where not given',
    )
    .hook('preAction', (_program, command) => beginOperation(command));
  addClientCommands(program);
  addKeyCommands(program);
  addWalletCommands(program);
  addClientPricingCommands(program);
  addRateCommands(program);
  addCatalogueCommands(program);
  addAttentionCommands(program);
  addOrderCommands(program);
  addWebhookCommands(program);
  addMailCommands(program);
  addLedgerCommands(program);
  addReconcileCommand(program);
  addSecretKeyCommands(program);
  addReplayCommand(program);
  addDeployCommands(program);
  addRestoreCommands(program);
  addSchemaCommand(program);
  addAuditCommands(program);
  for (const command of leavesOf(program)) letGiveReason(command);
  return program;
}

/** Commands that change nothing, and so leave no trace in the audit. */
export const readingCommands: readonly string[] = [
  ...['clients list', 'clients show', 'clients rate-limits', 'keys list', 'wallets list'],
  ...[
    'discounts list',
    'blacklist list',
    'rates list',
    'attention',
    'orders attention',
    'orders find',
    'orders show',
  ],
  ...['webhooks list', 'webhooks failing', 'wallets statement', 'deploy status', 'restore lost'],
  ...['ledger verify', 'secret-keys list', 'replay', 'audit list'],
];

function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

/** Whatever changes something can be told why; some commands demand it. */
function letGiveReason(command: Command): void {
  const isAsked = command.options.some(({ long }) => long === '--reason');
  if (isAsked || readingCommands.includes(pathOf(command))) return;
  command.option('--reason <text>', 'why, kept in the audit', read.reason);
}

import { Command, Help, type Option } from 'commander';
import { addAttentionCommands } from './commands/attention';
import { addAuditCommands } from './commands/audit';
import { addCatalogueCommands } from './commands/catalogue';
import { addClientCommands } from './commands/clients';
import { addDeployCommands } from './commands/deploy';
import { addEsimCommands } from './commands/esims';
import { addKeyCommands } from './commands/keys';
import { addLedgerCommands } from './commands/ledger';
import { addOrderCommands } from './commands/orders';
import { addMarginCommands } from './commands/margins';
import { addReportCommands } from './commands/reports';
import { addMailCommands } from './commands/mail';
import { addRateCommands } from './commands/rates';
import { addReconcileCommand } from './commands/reconcile';
import { addSupplierCommands } from './commands/suppliers';
import { addSecretKeyCommands } from './commands/secret-keys';
import { addClientPricingCommands } from './commands/client-pricing';
import { addRestoreCommands, addSchemaCommand } from './commands/database';
import { addProductCommands } from './commands/products';
import { addReplayCommand } from './commands/replay';
import { addSourceCommands } from './commands/sources';
import { addWalletCommands } from './commands/wallets';
import { addWebhookCommands } from './commands/webhooks';
import * as read from './arguments';
import { beginOperation, pathOf } from './session';

/** All commands of the ops CLI. A command that fails throws, and `main.ts` prints the error without a stack. */
export function opsProgram(): Command {
  const program = new Command('ops')
    .description('Operates the Digital Goods Ordering Service')
    .option('--json', 'print JSON instead of a table')
    .option(
      '--operator <name>',
      'your name for the audit log; default: OPS_OPERATOR, otherwise your user name',
    )
    .configureHelp({ optionDescription: describedOption })
    .hook('preAction', (_program, command) => beginOperation(command));
  addClientCommands(program);
  addKeyCommands(program);
  addWalletCommands(program);
  addClientPricingCommands(program);
  addRateCommands(program);
  addMarginCommands(program);
  addCatalogueCommands(program);
  addProductCommands(program);
  addSourceCommands(program);
  addSupplierCommands(program);
  addAttentionCommands(program);
  addOrderCommands(program);
  addEsimCommands(program);
  addWebhookCommands(program);
  addMailCommands(program);
  addLedgerCommands(program);
  addReportCommands(program);
  addReconcileCommand(program);
  addSecretKeyCommands(program);
  addReplayCommand(program);
  addDeployCommands(program);
  addRestoreCommands(program);
  addSchemaCommand(program);
  addAuditCommands(program);
  for (const command of leavesOf(program)) acceptReason(command);
  return program;
}

/** Commands that change nothing and need no reason. Of these, only `orders show` writes an audit entry. */
export const readingCommands: readonly string[] = [
  ...['clients list', 'clients show', 'clients rate-limits', 'keys list', 'wallets list'],
  ...[
    'discounts list',
    'blacklist list',
    'rates list',
    'rates reference list',
    'catalogue review',
    'catalogue plans',
    'attention',
  ],
  'orders attention',
  ...['orders find', 'orders show', 'webhooks list', 'webhooks failing', 'wallets statement'],
  ...['suppliers list', 'suppliers show', 'reconcile differences'],
  ...['products list', 'products show', 'catalogue export', 'esims show'],
  ...['sources list', 'routes explain', 'margins list', 'reports margin'],
  ...['deploy status', 'restore lost', 'ledger verify', 'secret-keys list', 'replay', 'audit list'],
];

/** The description of an option in `--help`, which says whether the option is required. */
function describedOption(option: Option): string {
  const described = new Help().optionDescription(option);
  return option.mandatory ? `${described} (required)` : described;
}

function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

/** Adds `--reason` to a command that changes something and does not have the option yet. */
function acceptReason(command: Command): void {
  const hasReason = command.options.some(({ long }) => long === '--reason');
  if (hasReason || readingCommands.includes(pathOf(command))) return;
  command.option('--reason <text>', 'the reason, for the audit log', read.reason);
}

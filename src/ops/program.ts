import { Command } from 'commander';
import { addAttentionCommands } from './commands/attention';
import { addAuditCommands } from './commands/audit';
import { addCatalogueCommands } from './commands/catalogue';
import { addClientCommands } from './commands/clients';
import { addDeployCommands } from './commands/deploy';
import { addKeyCommands } from './commands/keys';
import { addLedgerCommands } from './commands/ledger';
import { addOrderCommands } from './commands/orders';
import { addRateCommands } from './commands/rates';
import { addReconcileCommand } from './commands/reconcile';
import { addSecretKeyCommands } from './commands/secret-keys';
import { addClientPricingCommands } from './commands/client-pricing';
import { addRestoreCommands } from './commands/restore';
import { addReplayCommand } from './commands/replay';
import { addSchemaCommand } from './commands/schema';
import { addWalletCommands } from './commands/wallets';

/** All commands of the operators. What goes wrong in one is thrown; see `sentenceOf`. */
export function opsProgram(): Command {
  const program = new Command('ops')
    .description('Operates the Digital Goods Ordering Service')
    .option('--json', 'print JSON instead of a table');
  addClientCommands(program);
  addKeyCommands(program);
  addWalletCommands(program);
  addClientPricingCommands(program);
  addRateCommands(program);
  addCatalogueCommands(program);
  addAttentionCommands(program);
  addOrderCommands(program);
  addLedgerCommands(program);
  addReconcileCommand(program);
  addSecretKeyCommands(program);
  addReplayCommand(program);
  addDeployCommands(program);
  addRestoreCommands(program);
  addSchemaCommand(program);
  addAuditCommands(program);
  return program;
}

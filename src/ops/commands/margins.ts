/** `margins`: the rules for markups and minimum margins. */
import type { Command } from 'commander';
import type { Database } from '../../data/database/database';
import {
  deleteMarginRule,
  firstClientOf,
  listMarginRules,
  storeMarginRule,
  type MarginScope,
} from '../../data/prices/margin-rules';
import type { Family } from '../../domain/orders/families';
import type { Exact } from '../../domain/prices/money';
import * as read from '../arguments';
import { reasoned } from '../confirmation';
import { marginsText } from '../resulting-margins';
import { onDatabase } from '../session';

interface ScopeOptions {
  product?: number;
  client?: string;
  group?: string;
}

export function addMarginCommands(program: Command): void {
  const margins = program.command('margins').description('Rules for markups and minimum margins');
  margins
    .command('list')
    .description('All rules, the most specific of a family first')
    .action(onDatabase(({ database }) => listMarginRules(database)));

  scoped(reasoned(margins.command('set')))
    .description('Make a rule, or change it. Absent percentages stay as they are')
    .option('--markup <percent>', "on the cost of products made from suppliers' offers", read.markup)
    .option('--min-margin <percent>', 'of the price; a source that leaves less is not used', read.margin)
    .action(
      onDatabase(
        async (
          { database },
          family: Family,
          { markup, minMargin, ...scopeOptions }: ScopeOptions & { markup?: Exact; minMargin?: Exact },
        ) => {
          if (!markup && !minMargin) throw new Error('Give --markup, --min-margin or both');
          if (markup && (scopeOptions.client ?? scopeOptions.group) !== undefined)
            throw new Error(
              'A markup makes the list price, which is the same for all clients: omit --client and --group',
            );
          const scope = await scopeOf(database, family, scopeOptions);
          const stored = await storeMarginRule(database, scope, {
            markup: markup?.toFixed() ?? null,
            minMargin: minMargin?.toFixed() ?? null,
          });
          return [
            `${textOf(scope)}: markup ${percentOf(stored.markup)}, minimum margin ${percentOf(stored.minMargin)}.`,
            await marginsIn(database, scope),
          ].join('\n');
        },
      ),
    );

  scoped(reasoned(margins.command('clear')))
    .description('Remove a rule')
    .action(
      onDatabase(async ({ database }, family: Family, scopeOptions: ScopeOptions) => {
        const scope = await scopeOf(database, family, scopeOptions);
        if (!(await deleteMarginRule(database, scope)))
          throw new Error('There is no such rule. See them with: margins list');
        return `${textOf(scope)}: no rule.\n${await marginsIn(database, scope)}`;
      }),
    );
}

/** The margins in the scope; of a group, those of one client. */
async function marginsIn(database: Database, scope: MarginScope): Promise<string> {
  const clientId = scope.clientId ?? (await firstClientOf(database, scope.clientGroup));
  const { family, productId } = scope;
  return marginsText(database, { family, productId, clientId });
}

function scoped(command: Command): Command {
  return command
    .argument('<family>', 'vouchers, topups or esim', read.family)
    .option('--product <id>', 'only this product of the family', read.positiveInteger)
    .option('--client <client>', 'only this client: id, name or API key')
    .option('--group <name>', 'only clients of this group', read.groupName);
}

async function scopeOf(
  database: Database,
  family: Family,
  { product, client, group }: ScopeOptions,
): Promise<MarginScope> {
  if (client !== undefined && group !== undefined) throw new Error('Give --client or --group, not both');
  if (group === '') throw new Error('Give the name of the group');
  const clientId = client === undefined ? null : (await read.clientNamed(database, client)).id;
  return { clientId, clientGroup: group ?? null, family, productId: product ?? null };
}

function textOf({ clientId, clientGroup, family, productId }: MarginScope): string {
  const what = productId === null ? `All ${family} products` : `${family} product ${productId}`;
  if (clientId !== null) return `${what} for client ${clientId}`;
  return `${what} for ${clientGroup === null ? 'all clients' : `the clients of ${clientGroup}`}`;
}

const percentOf = (percent: string | null) => (percent === null ? 'none' : `${percent} %`);

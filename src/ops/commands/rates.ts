/** `rates` and `fees`: conversion between the product's currency and the wallet's. */
import type { Command } from 'commander';
import { readPricedValue, clientPricingModels } from '../../data/prices/pricing-settings';
import type { Exact } from '../../domain/prices/money';
import * as read from '../arguments';
import { reasoned } from '../confirmation';
import { show } from '../output';
import { forceable, setPricedValue } from '../price-changes';
import { withDatabase } from '../session';

export function addRateCommands(program: Command): void {
  const rates = program.command('rates').description('Exchange rates; changes count from the next order on');
  addSetRate(rates);
  addRemoveRate(rates);
  addListRates(rates);
  const fees = program
    .command('fees')
    .description('Conversion fees of voucher orders; other families have none');
  addSetFee(fees);
}

function onPair(command: Command): Command {
  return command
    .argument('<product-currency>', 'ISO 4217 code', read.currencyCode)
    .argument('<wallet-currency>', 'ISO 4217 code', read.currencyCode);
}

function addSetRate(rates: Command): void {
  onPair(forceable(reasoned(rates.command('set'))))
    .description('One unit of the product currency is worth <rate> of the wallet currency')
    .argument('<rate>', 'decimal above 0', read.positiveDecimal)
    .action((source: string, destination: string, rate: Exact, _options: object, command: Command) =>
      withDatabase(async (database, config) => {
        const changed = await setPricedValue(
          { command, database, config },
          {
            what: `Rate ${source}/${destination}`,
            value: rateOf(source, destination),
            after: rate.toFixed(),
          },
        );
        console.log(`1 ${source} = ${rate.toFixed()} ${destination}\n${changed}`);
      }),
    );
}

function addRemoveRate(rates: Command): void {
  onPair(reasoned(rates.command('remove')))
    .description('Take a rate and its fee away: orders across the pair are refused')
    .action((source: string, destination: string, _options: object, command: Command) =>
      withDatabase(async (database, config) => {
        const changed = await setPricedValue(
          { command, database, config },
          { what: `Rate ${source}/${destination}`, value: rateOf(source, destination), after: null },
          (before) => {
            if (before === null) throw new Error(`There is no rate from ${source} to ${destination}`);
          },
        );
        console.log(`No rate from ${source} to ${destination} any more.\n${changed}`);
      }),
    );
}

function rateOf(source: string, destination: string) {
  return { kind: 'rate', key: { source_currency: source, destination_currency: destination } } as const;
}

function addListRates(rates: Command): void {
  rates
    .command('list')
    .description('All rates with their conversion fees')
    .action((_options: object, command: Command) =>
      withDatabase(async (database) => {
        const { forexRates, fees } = clientPricingModels(database);
        const order = ['sourceCurrency', 'destinationCurrency'];
        const [allRates, allFees] = await Promise.all([forexRates.findAll({ order }), fees.findAll()]);
        show(
          command,
          allRates.map(({ sourceCurrency, destinationCurrency, rate, updatedAt }) => {
            const fee = allFees.find(
              (row) =>
                row.sourceCurrency === sourceCurrency && row.destinationCurrency === destinationCurrency,
            );
            return {
              source: sourceCurrency,
              destination: destinationCurrency,
              rate,
              voucher_fee_percent: fee?.feePercent ?? '0',
              updated_at: updatedAt,
            };
          }),
        );
      }),
    );
}

function addSetFee(fees: Command): void {
  onPair(forceable(reasoned(fees.command('set'))))
    .description('Charge a percentage of the converted amount of voucher orders')
    .argument('<percent>', '0 to 100', read.percent)
    .action((source: string, destination: string, percent: Exact, _options: object, command: Command) =>
      withDatabase(async (database, config) => {
        const rate = rateOf(source, destination);
        if ((await readPricedValue(database, rate)) === null)
          throw new Error(`Set the rate first: rates set ${source} ${destination} <rate>`);
        const changed = await setPricedValue(
          { command, database, config },
          {
            what: `Fee in percent of voucher orders ${source}/${destination}`,
            value: { kind: 'fee', key: { ...rate.key, family: 'VOUCHER' } },
            after: percent.toFixed(),
          },
        );
        console.log(`${percent.toFixed()} % on voucher orders from ${source} to ${destination}\n${changed}`);
      }),
    );
}

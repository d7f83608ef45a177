/** `rates` and `fees`: conversion between the product's currency and the wallet's. */
import type { Command } from 'commander';
import { clientPricingModels } from '../../data/models/client-pricing';
import type { Exact } from '../../domain/money';
import * as read from '../arguments';
import { show } from '../output';
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
  onPair(rates.command('set'))
    .description('One unit of the product currency is worth <rate> of the wallet currency')
    .argument('<rate>', 'decimal above 0', read.positiveDecimal)
    .action((sourceCurrency: string, destinationCurrency: string, rate: Exact) =>
      withDatabase(async (database) => {
        const row = { sourceCurrency, destinationCurrency, rate: rate.toFixed() };
        await clientPricingModels(database).forexRates.upsert(row);
        console.log(`1 ${sourceCurrency} = ${row.rate} ${destinationCurrency}`);
      }),
    );
}

function addRemoveRate(rates: Command): void {
  onPair(rates.command('remove'))
    .description('Take a rate and its fee away: orders across the pair are refused')
    .action((sourceCurrency: string, destinationCurrency: string) =>
      withDatabase(async (database) => {
        const where = { sourceCurrency, destinationCurrency };
        const removed = await clientPricingModels(database).forexRates.destroy({ where });
        if (removed === 0)
          throw new Error(`There is no rate from ${sourceCurrency} to ${destinationCurrency}`);
        console.log(`No rate from ${sourceCurrency} to ${destinationCurrency} any more.`);
      }),
    );
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
  onPair(fees.command('set'))
    .description('Charge a percentage of the converted amount of voucher orders')
    .argument('<percent>', '0 to 100', read.percent)
    .action((sourceCurrency: string, destinationCurrency: string, percent: Exact) =>
      withDatabase(async (database) => {
        const pair = { sourceCurrency, destinationCurrency };
        const { forexRates, fees: model } = clientPricingModels(database);
        if ((await forexRates.count({ where: pair })) === 0) {
          throw new Error(`Set the rate first: rates set ${sourceCurrency} ${destinationCurrency} <rate>`);
        }
        await model.upsert({ ...pair, family: 'VOUCHER', feePercent: percent.toFixed() });
        console.log(
          `${percent.toFixed()} % on voucher orders from ${sourceCurrency} to ${destinationCurrency}`,
        );
      }),
    );
}

/** `rates` and `fees`: the conversion from the product's currency to the wallet's. */
import type { Command } from 'commander';
import { listRates, readPricedValue } from '../../data/prices/pricing-settings';
import { findReferenceRate } from '../../data/prices/reference-rates';
import { familyIds } from '../../domain/orders/families';
import type { Exact } from '../../domain/prices/money';
import { inverseOf, type PriceChange } from '../../domain/prices/price-changes';
import * as read from '../arguments';
import { reasoned, forceable, requireForce, setPricedValue } from '../confirmation';
import { marginsText } from '../resulting-margins';
import { onDatabase, type Session } from '../session';
import { addReferenceRateCommands } from './reference-rates';

export function addRateCommands(program: Command): void {
  const rates = program.command('rates').description('Exchange rates. Changes apply from the next order on');
  addRates(rates);
  addReferenceRateCommands(rates);
  addFees(program.command('fees').description('Conversion fees of voucher orders. Other families have none'));
}

function onPair(command: Command): Command {
  return command
    .argument('<product-currency>', 'ISO 4217 code', read.currencyCode)
    .argument('<wallet-currency>', 'ISO 4217 code', read.currencyCode);
}

function rateOf(source: string, destination: string) {
  return {
    what: `Rate ${source}/${destination}`,
    value: { kind: 'rate', key: { source_currency: source, destination_currency: destination } },
  } as const;
}

/** A client's rate, compared with the reference rate and with the inverse of the opposite pair, if they are set. */
async function comparisons(
  { database }: Session,
  source: string,
  destination: string,
  after: string,
): Promise<PriceChange[]> {
  const reference = (await findReferenceRate(database, { source, destination })) ?? null;
  const opposite = await readPricedValue(database, rateOf(destination, source).value);
  const what = `Rate ${source}/${destination}, compared with`;
  return [
    { what: `${what} the reference rate`, before: reference, after },
    {
      what: `${what} the inverse of ${destination}/${source}`,
      before: opposite && inverseOf(opposite),
      after,
    },
  ];
}

/** The margins of the products in the currency, for clients who pay in the other one, by family. */
async function marginsAt({ database }: Session, currency: string, walletCurrency: string): Promise<string> {
  const texts: string[] = [];
  for (const family of familyIds) {
    const scope = { family, productId: null, clientId: null, currency, walletCurrency };
    texts.push(`${family}: ${await marginsText(database, scope)}`);
  }
  return texts.join('\n');
}

function addRates(rates: Command): void {
  onPair(forceable(reasoned(rates.command('set'))))
    .description('Value one unit of the product currency at <rate> of the wallet currency')
    .argument('<rate>', 'decimal above 0', read.positiveDecimal)
    .action(
      onDatabase(async (session, source: string, destination: string, rate: Exact) => {
        const after = rate.toFixed();
        const changed = await setPricedValue(session, { ...rateOf(source, destination), after }, async () => {
          requireForce(
            session.command,
            session.config,
            await comparisons(session, source, destination, after),
          );
        });
        return [
          `1 ${source} = ${after} ${destination}`,
          changed,
          await marginsAt(session, source, destination),
        ].join('\n');
      }),
    );

  onPair(reasoned(rates.command('remove')))
    .description('Remove a rate and its fee. Orders across the pair are then rejected')
    .action(
      onDatabase(async (session, source: string, destination: string) => {
        const removal = { ...rateOf(source, destination), after: null };
        const changed = await setPricedValue(session, removal, (before) => {
          if (before === null)
            throw new Error(`There is no rate from ${source} to ${destination}. See them with: rates list`);
        });
        return `The rate from ${source} to ${destination} is removed.\n${changed}`;
      }),
    );

  rates
    .command('list')
    .description('All rates with their conversion fees')
    .action(onDatabase(({ database }) => listRates(database)));
}

function addFees(fees: Command): void {
  onPair(forceable(reasoned(fees.command('set'))))
    .description('Charge a percentage of the converted amount of voucher orders')
    .argument('<percent>', '0 to 100', read.percent)
    .action(
      onDatabase(async (session, source: string, destination: string, percent: Exact) => {
        const rate = rateOf(source, destination).value;
        if ((await readPricedValue(session.database, rate)) === null)
          throw new Error(`Set the rate first: rates set ${source} ${destination} <rate>`);
        const after = percent.toFixed();
        const changed = await setPricedValue(session, {
          what: `Fee in percent of voucher orders ${source}/${destination}`,
          value: { kind: 'fee', key: { ...rate.key, family: 'VOUCHER' } },
          after,
        });
        const scope = { family: 'VOUCHER', productId: null, clientId: null } as const;
        const priced = { ...scope, currency: source, walletCurrency: destination };
        return [
          `${after} % on voucher orders from ${source} to ${destination}`,
          changed,
          await marginsText(session.database, priced),
        ].join('\n');
      }),
    );
}

/** `reports`: sales reports for operators. */
import { marginDimensions, reportMargins } from '../../data/orders/margin-report';
import { reportSales, salesIntervals } from '../../data/orders/sales-report';
import { marginReaders } from '../../domain/operators/roles';
import { inTerminal, option, optionOr, requiredOption } from '../arguments';
import { clientIdNamed } from '../client-named';
import { choices, client, family, month, oneOf, timeOrAge } from '../kinds';
import { operation } from '../operation';

const margin = operation({
  name: 'reports margin',
  button: 'Show the margin',
  about:
    'What the orders that ended in a month sold, cost and left, losses first, and the refunds, redemptions and supplier credits of the month; sold less refunded and redeemed is their sum in the ledger',
  roles: marginReaders,
  effect: 'reads',
  isLong: true,
  arguments: {
    month: requiredOption(month, 'in UTC, such as 2026-11'),
    by: inTerminal(
      option(oneOf('dimension', marginDimensions), 'one row for each'),
      `one row for each ${choices(marginDimensions)}`,
    ),
  },
  columns: {
    client: 'text',
    product: 'text',
    supplier: 'text',
    family: 'text',
    day: 'text',
    currency: 'text',
    orders: 'number',
    sold: 'text',
    refunded: 'text',
    redeemed: 'text',
    supplier_credits: 'text',
    cost: 'text',
    cost_at_client_rates: 'text',
    margin: 'text',
    margin_percent: 'text',
    currency_difference: 'text',
    orders_with_unknown_cost: 'number',
    sold_at_unknown_cost: 'text',
  },
  run: ({ database }, { month: start, by }) => reportMargins(database, start, by),
});

const sales = operation({
  name: 'reports sales',
  button: 'Show the sales',
  about:
    'What the orders that ended in a period sold, cost and left, and its refunds, redemptions and supplier credits, by day or month (UTC), family and wallet currency; sold less refunded and redeemed is their sum in the ledger',
  roles: marginReaders,
  effect: 'reads',
  arguments: {
    from: requiredOption(timeOrAge, 'the start of the period, such as 2026-11-01 or 90d'),
    to: option(timeOrAge, 'the end of the period, exclusive; default: now'),
    by: inTerminal(
      optionOr(oneOf('interval', salesIntervals), 'day', 'one row for each'),
      `one row for each ${choices(salesIntervals)}`,
    ),
    family: option(family, 'only this family: vouchers, topups or esim'),
    client: option(client, 'only this client: id, name or API key'),
  },
  columns: {
    period: 'text',
    family: 'text',
    currency: 'text',
    orders: 'number',
    delivered: 'number',
    sold: 'text',
    refunded: 'text',
    redeemed: 'text',
    supplier_credits: 'text',
    cost: 'text',
    margin: 'text',
    orders_with_unknown_cost: 'number',
  },
  async run({ database }, { from, to = new Date(), client: named, ...filter }) {
    const clientId = await clientIdNamed(database, named);
    return reportSales(database, { from, to, clientId, ...filter });
  },
});

export const reportOperations = [margin, sales];

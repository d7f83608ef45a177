/** `reports parts`, `reports spend`: what the sums of `today` and of the reports are made of. */
import {
  endedStatuses,
  listChargedPurchases,
  listReportParts,
  reportPartColumns,
  chargedPurchaseColumns,
} from '../../../data/orders/report-parts';
import { marginReaders } from '../../../domain/operators/roles';
import { inTerminal, option, optionOr, requiredOption } from '../arguments';
import { clientIdNamed } from '../client-named';
import { client, count, currencyCode, family, id, nameText, oneOf } from '../kinds';
import { everyRole, operation } from '../operation';
import { timeOrAge } from '../time-kinds';
import { seesCosts } from '../visible-costs';
import { kindsOf } from '../../../domain/row-columns';

const period = {
  from: inTerminal(
    requiredOption(timeOrAge, 'the start of the period'),
    'the start of the period, such as 2026-11-01 or 1d',
  ),
  to: option(timeOrAge, 'the end of the period, exclusive; default: now'),
};
const newest = optionOr(count, '100', 'maximum number of rows');

const parts = operation({
  name: 'reports parts',
  button: 'Show the parts',
  about:
    'What the sums of a period are made of: each order that ended in it, and each refund, redemption and supplier credit. The sum of a column is the sum of a report',
  roles: everyRole,
  effect: 'reads',
  arguments: {
    ...period,
    family: option(family, 'only this family: vouchers, topups or esim'),
    client: option(client, 'only this client: id, name or API key'),
    product: option(id, 'only this product, within the family'),
    supplier: option(nameText, 'only what this supplier delivered, or was the last to try'),
    currency: option(currencyCode, 'only this wallet currency'),
    status: option(oneOf('state', endedStatuses), 'only orders that ended so: delivered, failed or cancelled'),
    limit: newest,
  },
  columns: kindsOf(reportPartColumns),
  async run({ database, role }, { to = new Date(), client: named, product, ...filter }) {
    if (product !== undefined && !filter.family)
      throw new Error('Name the family of the product: --family vouchers, topups or esim');
    const clientId = await clientIdNamed(database, named);
    return listReportParts(database, { ...filter, to, clientId, productId: product, withCosts: seesCosts({ role }) });
  },
});

const spend = operation({
  name: 'reports spend',
  button: 'Show what suppliers charged',
  about: 'The purchases of the orders that ended in a period, with what the suppliers charged',
  roles: marginReaders,
  effect: 'reads',
  arguments: {
    ...period,
    supplier: option(nameText, 'only this supplier'),
    currency: option(currencyCode, 'only this currency'),
    limit: newest,
  },
  columns: kindsOf(chargedPurchaseColumns),
  run: ({ database }, { to = new Date(), ...filter }) => listChargedPurchases(database, { ...filter, to }),
});

export const reportPartOperations = [parts, spend];

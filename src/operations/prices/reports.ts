/** `reports`: sales reports for operators. */
import { marginDimensions, reportMargins } from '../../data/orders/margin-report';
import { option, requiredOption } from '../arguments';
import { choices, month, oneOf } from '../kinds';
import { operation } from '../operation';

const margin = operation({
  name: 'reports margin',
  about: 'What the orders that ended in a month sold, cost and left, losses first',
  roles: ['viewer', 'catalogue', 'finance'],
  effect: 'reads',
  isLong: true,
  arguments: {
    month: requiredOption(month, 'in UTC, such as 2026-11'),
    by: option(oneOf('dimension', marginDimensions), `one row for each ${choices(marginDimensions)}`),
  },
  run: ({ database }, { month: start, by }) => reportMargins(database, start, by),
});

export const reportOperations = [margin];

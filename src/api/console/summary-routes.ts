/** What became of an account's orders. docs/developers/console.md#data-of-the-console. */
import Joi from 'joi';
import { familiesOf } from '../../data/orders/client-orders';
import { summariseOrders, type OrderGroup } from '../../data/orders/order-summary';
import { families } from '../../domain/orders/families';
import { day } from '../../domain/time';
import { clientOf } from '../middleware/caller';
import type { Routes } from '../server/route';
import { moment } from '../shared/csv-response';
import { scheduleLargeRead } from '../shared/large-reads';
import { validQuery } from '../shared/validation';

interface SummaryQuery {
  bounds: Date[];
  by: 'day' | 'product';
}

const MAX_DAYS = 31;
/** A day with a change of the clocks has 25 hours. */
const MAX_DAY_MS = day + day / 24;

/** The start of each day, ascending, and the end of the last one, separated by commas: only the browser knows its days. */
const bounds = Joi.any().custom((text: unknown, helpers) => {
  const parts = typeof text === 'string' ? text.split(',', MAX_DAYS + 2) : [];
  const moments = parts.map((part) => moment.validate(part));
  const dates = moments.flatMap(({ error, value }) => (error || !value ? [] : [value]));
  const areDays = dates.every((date, index) => {
    const before = dates[index - 1];
    const length = before ? date.getTime() - before.getTime() : day;
    return length > 0 && length <= MAX_DAY_MS;
  });
  const isValid = dates.length === parts.length && dates.length >= 2 && dates.length <= MAX_DAYS + 1;
  return isValid && areDays ? dates : helpers.error('any.invalid');
});

const summaryQuery = Joi.object<SummaryQuery>({
  bounds: bounds.required(),
  by: Joi.valid('day', 'product').required(),
});

/** Served to the console's session alone. */
export const consoleSummaryRoutes: Routes = {
  'GET /console/api/summary': {
    scope: 'read',
    handler: (deps) => async (request, response) => {
      const query = validQuery(summaryQuery, request);
      const { id, features } = clientOf(response);
      const { groups, isCut } = await scheduleLargeRead(response, () =>
        summariseOrders(deps.database, id, familiesOf(features), query),
      );
      response.json({ groups: groups.map(groupView), is_cut: isCut });
    },
  },
};

function groupView(group: OrderGroup) {
  return {
    day: group.day,
    family: group.family && families[group.family].feature,
    product_id: group.productId,
    product_name: group.product,
    status: group.status,
    failure_code: group.failureCode,
    currency: group.currency,
    orders: group.orders,
    charged: group.charged,
    refunded: group.refunded,
  };
}

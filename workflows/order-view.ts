import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { setCurrentDetails, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import { orderDetails, snapshotOf, type OrderFacts } from '../src/domain/orders/order-snapshot';
import { attention, failureCode, orderStatus } from '../src/temporal/search-attributes';
import { stateQuery } from './messages';

/** Temporal's column for a search attribute holds 255 characters, so a longer reason is cut. */
const MAX_ATTENTION_CHARACTERS = 200;

/** Shows operators the present state of the order by its details and the query `state`, which cost no event. */
export function showToOperators(facts: () => OrderFacts): void {
  setHandler(stateQuery, () => snapshotOf(facts()), {
    description:
      'How the order stands: what it waits for, since when, the next attempt, and what you can do.',
  });
  setCurrentDetails(orderDetails(facts()));
}

/** Shows operators changed facts: by the details, and by the search attributes that differ. */
export function showChange(before: OrderFacts, facts: OrderFacts): void {
  setCurrentDetails(orderDetails(facts));
  const reason = shortened(facts.attention);
  const changes: SearchAttributeUpdatePair[] = [
    ...(reason === shortened(before.attention) ? [] : [{ key: attention, value: reason }]),
    ...(facts.end === before.end ? [] : [{ key: orderStatus, value: facts.end }]),
    ...(facts.failureCode === before.failureCode ? [] : [{ key: failureCode, value: facts.failureCode }]),
  ];
  if (changes.length > 0) upsertSearchAttributes(changes);
}

function shortened(reason: string | null): string | null {
  return reason?.slice(0, MAX_ATTENTION_CHARACTERS) ?? null;
}

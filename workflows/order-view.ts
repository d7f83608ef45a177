import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { setCurrentDetails, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import { orderDetails, snapshotOf, type OrderFacts } from '../src/domain/orders/order-snapshot';
import { attention, failureCode, orderStatus } from '../src/temporal/search-attributes';
import { stateQuery } from './messages';
import type { OrderRun } from './order-run';

/** The search attribute's column holds 255 characters. */
const MAX_ATTENTION_CHARACTERS = 200;

type Shown = Pick<OrderFacts, 'attention' | 'end' | 'failureCode'>;

/**
 * Shows operators the state of the order: by its details and the query `state`, which cost no event, and by search
 * attributes, which are written when they change.
 */
export function showToOperators({ state }: OrderRun): void {
  setHandler(stateQuery, () => snapshotOf(state.facts), {
    description:
      'How the order stands: what it waits for, since when, the next attempt, and what you can do.',
  });
  let shown: Shown = state.facts;
  state.showBy((facts) => {
    setCurrentDetails(orderDetails(facts));
    const changes = changesBetween(shown, facts);
    if (changes.length > 0) upsertSearchAttributes(changes);
    shown = facts;
  });
}

function changesBetween(shown: Shown, facts: Shown): SearchAttributeUpdatePair[] {
  const reason = shortened(facts.attention);
  return [
    ...(reason === shortened(shown.attention) ? [] : [{ key: attention, value: reason }]),
    ...(facts.end === shown.end ? [] : [{ key: orderStatus, value: facts.end }]),
    ...(facts.failureCode === shown.failureCode ? [] : [{ key: failureCode, value: facts.failureCode }]),
  ];
}

function shortened(reason: string | null): string | null {
  return reason?.slice(0, MAX_ATTENTION_CHARACTERS) ?? null;
}

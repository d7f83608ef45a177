/**
 * Which decisions of an operator an order takes at the moment.
 * Rule: which decisions an order takes, and when
 */
import { release, type OperatorDecision } from '../../src/domain/orders/order-messages';
import { rejection } from '../rejection';
import type { OrderRun } from './state';

/** Throws a rejection, with a sentence for the operator, unless the order takes the decision now. */
export function rejectUnlessAcceptable({ state, requests }: OrderRun, { resolution }: OperatorDecision): void {
  const { placement, isConcluded, facts } = state;
  if (placement?.outcome !== 'PLACED') throw rejection('The order was not placed');
  if (isConcluded) throw rejection('The order has come to its end');
  if (requests.decisions.isPending) throw rejection('Another decision is being carried out');
  if (resolution === release && !state.isHeld) throw rejection('The order is not under review');
  if (resolution !== release && state.isHeld) throw rejection('The order is under review: release or cancel it');
  // An unknown outcome suffices without an attention entry, which is written one step later.
  if (
    resolution !== 'ASK_AGAIN' &&
    resolution !== release &&
    facts.outcomeUnknown === null &&
    facts.attention === null
  ) {
    throw rejection('The order does not wait for a decision: only ASK_AGAIN is taken now');
  }
}

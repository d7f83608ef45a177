/**
 * When the circuit of a supplier and family opens and closes. While it is open, orders with another source avoid the supplier,
 * except for the orders that test it. docs/decisions/0051-fail-over-between-sources.md.
 * Rule: when calls to a supplier stop, and when they are tried again
 */
import { hour, minute, second } from '../time';

/** The kinds of call that open a circuit. */
export const countedCalls = ['purchase', 'find'] as const;

/** The circuit opens if at least `minCalls` of these calls ended within `withinMs`, and at least this share of them failed. */
export const opensAt = { withinMs: minute, minCalls: 10, minFailedShare: 0.5 } as const;

/** One order tests an open circuit in this time. */
export const testEveryMs = 30 * second;

/** A circuit that no order has tested for this time closes, because its failures are too old. */
export const untestedCloseMs = hour;

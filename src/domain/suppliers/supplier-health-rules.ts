/**
 * When a supplier counts as down, when our account at it counts as blocked, and when a purchase counts as unsent.
 * Rule: when a supplier counts as down
 */
import { hour, minute } from '../time';

/** A kind of call that has failed for this time puts the supplier on the attention list as `SUPPLIER_DOWN`. */
export const downAfterMs = 10 * minute;

/** A failure this long after the previous one begins a new outage: between two failures that far apart, nothing is known. */
export const newOutageAfterMs = 20 * minute;

/**
 * A kind of call whose last failure is this old no longer counts as failing, unless orders wait for it. If it is no longer made, it
 * never succeeds, so nothing else would end the outage.
 */
export const oldFailureMs = hour;

/** Our account is no longer blocked if calls succeed and none was rejected for this time. */
export const unblockedAfterMs = 2 * minute;

/** A purchase that is unsent for this time is on the attention list as `PURCHASES_NOT_SENT`. */
export const unsentAfterMs = 10 * minute;

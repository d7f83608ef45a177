/** What disturbs a run. */
import type { Modes as FakeModes } from '../../../fakes/kit/modes';
import type { Modes } from '../../simulator/modes';
import type { FakeName } from '../../stack/fakes';
import type { ChangedAnswers } from './answer-changes';
import type { SupplierName } from './suppliers';

export const processes = [
  'api',
  'worker',
  'second-worker',
  'bulk-worker',
  'simulator',
  'temporal',
  'postgres',
] as const;
/** A fake can be frozen, but not killed: it would forget its sales. */
export type ProcessName = (typeof processes)[number] | FakeName;

/** The connections through a proxy: of the stack's own programs, and of the second worker. */
export const sides = ['stack', 'second-worker'] as const;
export type Side = (typeof sides)[number];
export type Server = 'postgres' | 'temporal';

/** The supplier calls that faults can affect. */
export type SupplierCall = 'purchase' | 'lookup' | 'esim';

/** The origin of a response: the supplier's own error, or a gateway's page as HTML, JSON or without a body. */
export type Page = 'supplier' | 'html' | 'json' | 'empty';

/** An unusable code, or the code of another order. */
export const badCodes = ['blank', 'surrogate', 'zero-width', 'huge', 'expired', 'copied'] as const;
export type BadCode = (typeof badCodes)[number];

/** The fault of a call between service and supplier. Times in milliseconds. */
export type NetworkFault =
  | { name: 'lose-request'; by: 'silence' | 'reset' }
  | { name: 'lose-answer'; by: 'silence' | 'reset' }
  | { name: 'delay-request'; ms: number }
  | { name: 'delay-answer'; ms: number }
  /** The connection breaks immediately, but the request still reaches the supplier after `ms`. */
  | { name: 'late-request'; ms: number }
  | { name: 'repeat-request'; afterMs: number }
  /** The connection breaks during the response, or the response has truncated JSON. */
  | { name: 'cut-answer' | 'truncate-json' }
  /** The call is carried out, and another response replaces its own. */
  | { name: 'forge-answer'; status: number; page: Page }
  /** The call is not carried out. */
  | { name: 'refuse'; status: number; page: Page }
  /** The response never ends, or a lookup shows thousands of rows for the reference. */
  | { name: 'endless-answer' | 'many-rows' }
  /** The first unit of the response has such a code. */
  | { name: 'bad-code'; code: BadCode }
  /** The eSIM's installation and first use have an impossible time (RFC 3339). */
  | { name: 'implausible-times'; at: string }
  /** Lookups of purchases first seen less than `age` ago show nothing, or the response to another reference. */
  | { name: 'empty-lookup' | 'old-answer'; age: number };

/** How a supplier is down: it accepts no connections, or every call has the fault. */
export type Outage = { name: 'unreachable' } | NetworkFault;

/** An expensive client's load: requests that cost more than their weight, or unread responses. */
export const loads = ['wide-bodies', 'large-reads', 'unread-responses'] as const;
export type Load = (typeof loads)[number];

/** A client claims a delivered unit, recharges a delivered eSIM, or erases the address of an order. */
export const clientActs = ['claim', 'recharge', 'erase'] as const;
export type ClientAct = (typeof clientActs)[number];

/** The tricks, each of which would change a price or pay a client without a second person. */
export const tricks = [
  'remove a rate and set another',
  'lower a rate in steps',
  'give files of rates',
  'raise a spread in steps',
  'split a discount',
  'make a product redeemable',
  'widen a range',
  'put a product in the place of another',
  'chain replacements',
  'refund an amount, then the unit',
  'repeat a refund with its reference spelled differently',
] as const;
export type Trick = (typeof tricks)[number];

/**
 * A client announces a transfer or converts money, or pays again for an announced transfer; the bank takes a transfer back; people import
 * its files, credit and take back waiting entries, change a credit limit or close the past month. What people do happens twice at once.
 */
export const moneyActs = [
  'announce',
  'pay-again',
  'bounce',
  'import',
  'credit',
  'take-back',
  'convert',
  'limit',
  'close',
] as const;
export type MoneyAct = (typeof moneyActs)[number];

export type OperatorAct =
  | 'cancel'
  | 'ask-again'
  | 'decide'
  | 'refund'
  | 'decide-claim'
  | 'approve'
  | 'reset'
  | 'terminate-order'
  | 'delete-order'
  | 'terminate-monitor'
  | 'terminate-maintenance';

export type Disturbance =
  | { kind: 'kill'; process: ProcessName }
  | { kind: 'freeze'; process: ProcessName; ms: number }
  | { kind: 'cut'; server: Server; side: Side; how: 'refuse' | 'silence'; ms: number }
  | { kind: 'slow'; server: Server; side: Side; delayMs: number; ms: number }
  | { kind: 'network'; supplier: SupplierName; fault: NetworkFault; on: SupplierCall; share: number; ms: number }
  | { kind: 'down'; supplier: SupplierName; outage: Outage; ms: number }
  | ChangedAnswers
  | { kind: 'fake'; supplier: FakeName; modes: FakeModes; ms: number }
  | { kind: 'empty-account'; supplier: FakeName; ms: number }
  | { kind: 'supplier'; modes: Modes; sku: string | null; ms: number }
  /** Other programs take every core. */
  | { kind: 'busy-cores'; ms: number }
  | { kind: 'outage'; ms: number }
  | { kind: 'account'; ms: number }
  | { kind: 'receiver'; ms: number }
  /** The clock of the database steps, and steps back after `ms`. */
  | { kind: 'clock'; seconds: number; ms: number }
  /** Every running order continuously gets the signals of service and operators. */
  | { kind: 'signals'; ms: number }
  | { kind: 'expensive-client'; load: Load; ms: number }
  /** A revoked key and a dead cookie of a client send orders. */
  | { kind: 'ended-access'; ms: number }
  /** A dishonest operator tries a trick. */
  | { kind: 'fraud'; trick: Trick; choice: number }
  /** `choice` (0 to 1) selects the target. */
  | { kind: 'money'; act: MoneyAct; choice: number }
  | { kind: ClientAct; choice: number }
  | { kind: 'operator'; act: OperatorAct; choice: number };

export type PlannedDisturbance = Disturbance & {
  /** Milliseconds after the start. */
  at: number;
};

/** The misbehaviour modes of the simulator, and the schema of their control requests. */
import Joi from 'joi';

/** The buyer's calls that modes can affect. */
export const calls = ['purchase', 'lookup', 'cancel', 'esim_status'] as const;
export type Call = (typeof calls)[number];

/** The calls that an echo can reject. */
const echoedCalls = ['purchase', 'lookup'] as const;
export type EchoedCall = (typeof echoedCalls)[number];

/** Changes to purchases, lookups and cancellations. An absent mode changes nothing. */
export interface Modes {
  /** A purchase is rejected (422 `ONE_AT_A_TIME`) while another purchase of its product has no response yet. */
  one_at_a_time?: boolean;
  /** Every call with a known reference buys again. Lookups then show each purchase. */
  buys_again?: boolean;
  /** Lookups and cancellations see a purchase only this long after it was made. */
  known_after_ms?: number;
  /** Lookups and cancellations no longer see a purchase this long after it was made, although it exists. */
  forgotten_after_ms?: number;
  /** A lookup shows a second row for each purchase: rejected, before or after it, or delivered. It belongs to no purchase. */
  second_row?: 'refused_first' | 'refused_last' | 'delivered';
  /** The first `calls` purchase calls of each reference (all, without it) are answered 503 or 429. */
  busy?: { calls?: number; status: 503 | 429; retry_after_seconds?: number };
  /** The first `calls` purchase calls of each reference (all, without it) hang without a response, or their connection breaks. */
  answer_lost?: { calls?: number; when: 'before_buying' | 'after_buying'; by: 'silence' | 'reset' };
  /**
   * The first `calls` of these calls for each reference (all, without it) are rejected. Every text of the response, including the
   * code, repeats everything that the buyer sent with the purchase.
   */
  echo?: { on: EchoedCall[]; status: 422 | 503; calls?: number };
  /** The responses to these calls end in the middle of the JSON. */
  half_json?: Call[];
  /** A delivered purchase shows this many additional units (fewer units if negative). */
  wrong_count?: number;
  /** The last unit repeats the first (of two or more), or the first unit comes from an earlier purchase of the same kind. */
  repeated_goods?: 'within_answer' | 'from_another_purchase';
  /** 1-based positions of units that are shown without their required fields. */
  unreadable_units?: number[];
  /** 1-based positions of units whose `expires_at` is not a date. */
  bad_expiry_units?: number[];
  /** A recharge shows the profile that it recharges. */
  shows_profile?: boolean;
  /** ICCIDs are written with the filler `F`, and calls about them need it. */
  filled_iccids?: boolean;
  /** The profile is unknown: calls about it get 404. */
  profile_unknown?: boolean;
  /** These calls get `ACCOUNT_BLOCKED`. */
  account_blocked?: { on: Call[]; status: 402 | 403 };
  /** These calls take effect immediately. Their responses come after this time, and show the state when the call arrived. */
  delay_ms?: Partial<Record<Call, number>>;
  /** These calls take effect and get no response. */
  silent?: Call[];
}

/** The modes that end after a number of calls. */
export type CountedMode = 'busy' | 'answer_lost' | 'echo';

/** The selector of modes: one product, one reference or order (`order-12`), or everything. */
export interface Selector {
  sku?: string;
  reference?: string;
}

const callList = Joi.array()
  .items(Joi.string().valid(...calls))
  .min(1)
  .unique();
const unitList = Joi.array().items(Joi.number().strict().integer().min(1)).min(1).unique();
const milliseconds = Joi.number().strict().integer().min(0).max(86_400_000);
const callCount = Joi.number().strict().integer().min(1);

const modesSchema = Joi.object<Modes>({
  one_at_a_time: Joi.boolean().strict(),
  buys_again: Joi.boolean().strict(),
  known_after_ms: milliseconds,
  forgotten_after_ms: milliseconds,
  second_row: Joi.string().valid('refused_first', 'refused_last', 'delivered'),
  busy: Joi.object({
    calls: callCount,
    status: Joi.number().strict().valid(503, 429).default(503),
    retry_after_seconds: Joi.number().strict().integer().min(0).max(9_999_999),
  }),
  answer_lost: Joi.object({
    calls: callCount,
    when: Joi.string().valid('before_buying', 'after_buying').required(),
    by: Joi.string().valid('silence', 'reset').default('silence'),
  }),
  echo: Joi.object({
    on: Joi.array()
      .items(Joi.string().valid(...echoedCalls))
      .min(1)
      .unique()
      .default(['purchase']),
    status: Joi.number().strict().valid(422, 503).required(),
    calls: callCount,
  }),
  half_json: callList,
  wrong_count: Joi.number().strict().integer().min(-500).max(500),
  repeated_goods: Joi.string().valid('within_answer', 'from_another_purchase'),
  unreadable_units: unitList,
  bad_expiry_units: unitList,
  shows_profile: Joi.boolean().strict(),
  filled_iccids: Joi.boolean().strict(),
  profile_unknown: Joi.boolean().strict(),
  account_blocked: Joi.object({ on: callList.required(), status: Joi.number().strict().valid(402, 403).default(402) }),
  delay_ms: Joi.object(Object.fromEntries(calls.map((call) => [call, milliseconds]))).min(1),
  silent: callList,
});

const selector = { sku: Joi.string().max(64), reference: Joi.string().pattern(/^[\x21-\x7e]{1,40}$/, 'reference') };

/** The body that sets modes: a selector of at most one part, and at least one mode. */
export const behaviourSchema = Joi.object<Selector & { modes: Modes }>({
  ...selector,
  modes: modesSchema.min(1).required(),
}).oxor('sku', 'reference');

/** A selector without modes. */
export const selectorSchema = Joi.object<Selector>(selector).oxor('sku', 'reference');

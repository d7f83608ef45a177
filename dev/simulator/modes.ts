/** The ways in which the simulator can be told to misbehave, and what a control request may say of them. */
import Joi from 'joi';

/** The calls of a buyer that can be disturbed. */
export const calls = ['purchase', 'lookup', 'cancel', 'esim_status'] as const;
export type Call = (typeof calls)[number];

/** Those that can be refused by an echo. */
const echoedCalls = ['purchase', 'lookup'] as const;
export type EchoedCall = (typeof echoedCalls)[number];

/** What purchases, look-ups and cancels do differently. An absent mode leaves them as they are. */
export interface Modes {
  /** A purchase of a product is refused while another of that product has no answer yet. */
  one_at_a_time?: boolean;
  /** A reference that is known is bought again, every time. */
  buys_again?: boolean;
  /** Look-ups and cancels know a purchase only so long after it was made. */
  known_after_ms?: number;
  /** Look-ups and cancels do not know a purchase any more so long after it was made. */
  forgotten_after_ms?: number;
  /** A look-up shows a second row, which nobody bought, beside each purchase. */
  second_row?: 'refused_first' | 'refused_last' | 'delivered';
  /** The first `calls` purchase calls of each reference (all, without it) are answered 503 or 429. */
  busy?: { calls?: number; status: 503 | 429; retry_after_seconds?: number };
  /** The first `calls` purchase calls of each reference (all, without it) get no answer. */
  answer_lost?: { calls?: number; when: 'before_buying' | 'after_buying'; by: 'silence' | 'reset' };
  /**
   * The first `calls` of these calls for each reference (all, without it) are refused in words that repeat all that
   * the buyer sent with the purchase, the code included.
   */
  echo?: { on: EchoedCall[]; status: 422 | 503; calls?: number };
  /** Answers to these calls end in the middle of their JSON. */
  half_json?: Call[];
  /** A delivered purchase shows so many units more (or fewer, below 0) than were bought. */
  wrong_count?: number;
  /** The last unit is shown as the first once more; or the first is one of another purchase. */
  repeated_goods?: 'within_answer' | 'from_another_purchase';
  /** Units, counted from 1, that are shown without the fields they live by. */
  unreadable_units?: number[];
  /** Units, counted from 1, whose `expires_at` is no date. */
  bad_expiry_units?: number[];
  /** These calls are answered that the account is blocked. */
  account_blocked?: { on: Call[]; status: 402 | 403 };
  /** These calls do what they do at once and are answered so much later. */
  delay_ms?: Partial<Record<Call, number>>;
  /** These calls do what they do and are never answered. */
  silent?: Call[];
}

/** The modes that end by themselves after a number of calls. */
export type CountedMode = 'busy' | 'answer_lost' | 'echo';

/** What modes are set for: one product, one reference or order (`order-12`), or everything. */
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
  account_blocked: Joi.object({
    on: callList.required(),
    status: Joi.number().strict().valid(402, 403).default(402),
  }),
  delay_ms: Joi.object(Object.fromEntries(calls.map((call) => [call, milliseconds]))).min(1),
  silent: callList,
});

const selector = {
  sku: Joi.string().max(64),
  reference: Joi.string().pattern(/^[\x21-\x7e]{1,40}$/, 'reference'),
};

/** The body that sets modes: a selector of at most one part, and at least one mode. */
export const behaviourSchema = Joi.object<Selector & { modes: Modes }>({
  ...selector,
  modes: modesSchema.min(1).required(),
}).oxor('sku', 'reference');

/** A selector by itself. */
export const selectorSchema = Joi.object<Selector>(selector).oxor('sku', 'reference');

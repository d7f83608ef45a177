/** The simulator's messages about its products and eSIMs, its rejections and its pushes. */
import Joi from 'joi';
import type { EsimStatus } from '../../domain/esims/esim-lifecycle';
import { usageOf } from '../../domain/esims/esim-usage';
import { failureCodes } from '../../domain/orders/failure-codes';
import { minute } from '../../domain/time';
import { isSuccessStatus } from '../kit/exchange';
import type { Meaning, Rejection, SupplierResponse } from '../kit/http';
import type { SupplierPage } from '../kit/limits';
import {
  count,
  isSigned,
  lastEnd,
  MAX_ROWS,
  numberOf,
  optionalText,
  parseJson,
  read,
  reportedTime,
  text,
} from '../kit/messages';
import { decimalText } from '../kit/offers';
import type { EsimPlan, Money, PushHint, ReceivedPush, StockReport } from '../../domain/suppliers/port';

/** The code for an object that the simulator does not know. */
export const SIMULATOR_NOT_FOUND = 'NOT_FOUND';

/** Every code of the simulator's rejections. */
export const codes: readonly string[] = [
  ...failureCodes,
  'ACCOUNT_BLOCKED',
  'BAD_REQUEST',
  'BUSY',
  'INTERNAL_ERROR',
  'NOT_CANCELLABLE',
  SIMULATOR_NOT_FOUND,
  'ONE_AT_A_TIME',
  'OUTAGE',
  'UNAUTHORIZED',
];

interface RejectionMessage {
  code: string;
  reference?: string;
}

const rejectionSchema = Joi.object<{ error: RejectionMessage }>({
  error: Joi.object({ code: text.required(), message: text.required(), reference: text }).required(),
});

type Meanings = Readonly<Partial<Record<number, Rejection['meaning']>>>;

/** The documented meanings of rejections by status. The simulator rejects a purchase before it runs. */
const meanings: Meanings = {
  400: 'rejected',
  401: 'account-blocked',
  402: 'account-blocked',
  403: 'account-blocked',
  422: 'rejected',
  429: 'not-run',
  503: 'not-run',
};

/** The meanings for calls that buy nothing, which may also name an unknown object (404) or come too late (409). */
const meaningsWithoutPurchase: Meanings = { ...meanings, 404: 'rejected', 409: 'rejected' };

/**
 * The meaning of a response. A rejection is `{error: {code, message}}`. The rejection of a purchase must name our `reference`,
 * which neither a gateway nor the rejection of another purchase does. Any other rejection must have a code of the simulator.
 */
export function classify({ status, body, reference }: SupplierResponse): Meaning | undefined {
  if (isSuccessStatus(status)) return body === undefined ? undefined : { meaning: 'answered' };
  const error = read(rejectionSchema, body)?.error;
  if (!error) return undefined;
  const isOwn = reference === undefined ? codes.includes(error.code) : error.reference === reference;
  const meaning = (reference === undefined ? meaningsWithoutPurchase : meanings)[status];
  return isOwn && meaning ? { meaning, code: error.code } : undefined;
}

interface EsimMessage {
  /** One of the simulator's states, or an unknown one. */
  status?: string;
  installed_at: string | null;
  first_used_at: string | null;
  depleted_at: string | null;
  data_total_mb?: string;
  data_left_mb?: string;
  validity_ends_at?: string;
}

interface PlanMessage {
  sku: string;
  name: string;
  description?: string;
  currency: string;
  price: string;
  data_amount_gb: number;
  validity_days: number;
  regions: { code: string; name: string }[];
  networks: string[];
  is_rechargeable: boolean;
  is_recharge_only?: boolean;
  activation_policy?: string;
}

/** Any text: even a text that is not a date shows that the step has happened. */
const time = text.allow(null).required();

const stockSchema = Joi.object<{ items: StockReport[]; total_pages: number }>({
  items: Joi.array()
    .items({
      sku: text.required(),
      active: Joi.boolean().required(),
      available: Joi.number().integer().min(0).allow(null).required(),
    })
    .max(MAX_ROWS)
    .required(),
  total_pages: count,
});

const balanceSchema = Joi.object<Money>({ amount: decimalText.required(), currency: text.length(3).required() });

const esimSchema = Joi.object<EsimMessage>({
  status: optionalText,
  installed_at: time,
  first_used_at: time,
  depleted_at: time,
  data_total_mb: optionalText,
  data_left_mb: optionalText,
  validity_ends_at: optionalText,
});

const plansSchema = Joi.object<{ plans: PlanMessage[] }>({
  plans: Joi.array()
    .items({
      sku: text.required(),
      name: text.required(),
      description: text,
      currency: text.length(3).required(),
      price: decimalText.required(),
      // 0 is unlimited; less than a megabyte would be stored as 0.
      data_amount_gb: Joi.number().min(0.001).allow(0).required(),
      // A hundred years, so that the end of the validity is a valid date.
      validity_days: Joi.number().integer().min(1).max(36_500).required(),
      regions: Joi.array().items({ code: text.required(), name: text.required() }).required(),
      networks: Joi.array().items(text).required(),
      is_rechargeable: Joi.boolean().required(),
      is_recharge_only: Joi.boolean(),
      activation_policy: text,
    })
    .max(MAX_ROWS)
    .required(),
});

const pushSchema = Joi.alternatives<
  { type: 'purchase' | 'reversal'; reference: string } | { type: 'esim'; iccid: string }
>(
  Joi.object({ type: text.valid('purchase', 'reversal').required(), reference: text.max(40).required() }),
  Joi.object({ type: text.valid('esim').required(), iccid: text.pattern(/^\d{18,20}F*$/i).required() }),
);

export function readStockPage(body: unknown): SupplierPage<StockReport> | undefined {
  const page = read(stockSchema, body);
  return page && { items: page.items, totalPages: page.total_pages };
}

/** Our remaining prepaid balance, in the one currency of the simulator. */
export function readBalances(body: unknown): Money[] | undefined {
  const balance = read(balanceSchema, body);
  return balance && [balance];
}

export function readEsimStatus(body: unknown): EsimStatus | undefined {
  const message = read(esimSchema, body);
  if (!message) return undefined;
  const installedAt = reportedTime(message.installed_at);
  const firstUsedAt = reportedTime(message.first_used_at);
  const depletedAt = reportedTime(message.depleted_at);
  return {
    ...(installedAt && { installedAt }),
    ...(firstUsedAt && { firstUsedAt }),
    ...(message.status === 'DEPLETED' && { isDepleted: true }),
    ...(depletedAt && { depletedAt }),
    usage: usageOf({
      totalMb: numberOf(message.data_total_mb),
      leftMb: numberOf(message.data_left_mb),
      endsAt: lastEnd([message.validity_ends_at]),
    }),
  };
}

const skusSchema = Joi.object<{ skus: string[] }>({ skus: Joi.array().items(text).max(MAX_ROWS).required() });

/** The SKUs of the plans that recharge a profile. */
export function readSkus(body: unknown): string[] | undefined {
  return read(skusSchema, body)?.skus;
}

export function readPlans(body: unknown): EsimPlan[] | undefined {
  return read(plansSchema, body)?.plans.map((plan) => ({
    sku: plan.sku,
    name: plan.name,
    ...(plan.description !== undefined && { description: plan.description }),
    currency: plan.currency,
    price: plan.price,
    dataAmountGb: plan.data_amount_gb,
    // The simulator's mark, as its messages document it.
    ...(plan.data_amount_gb === 0 && { isUnlimited: true as const }),
    validityDays: plan.validity_days,
    regions: plan.regions,
    networks: plan.networks,
    isRechargeable: plan.is_rechargeable,
    ...(plan.is_recharge_only && { isRechargeOnly: true as const }),
    ...(plan.activation_policy !== undefined && { activationPolicy: plan.activation_policy }),
  }));
}

/** How far a push's timestamp may differ from now, which limits the use of a recorded push. */
const PUSH_TOLERANCE_MS = 5 * minute;

/**
 * The hint of a push whose `x-simulator-signature` is the hexadecimal HMAC-SHA256 of
 * `<x-simulator-timestamp>.<raw body>` and whose timestamp, in seconds, is at most 5 minutes off.
 */
export function verifyPush(
  secret: string,
  { headers, rawBody }: Pick<ReceivedPush, 'headers' | 'rawBody'>,
): PushHint | undefined {
  const timestamp = headers['x-simulator-timestamp'] ?? '';
  const received = headers['x-simulator-signature'] ?? '';
  if (!/^\d{1,12}$/.test(timestamp)) return undefined;
  if (Math.abs(Date.now() - Number(timestamp) * 1_000) > PUSH_TOLERANCE_MS) return undefined;
  const signed = [`${timestamp}.`, rawBody];
  if (!isSigned({ algorithm: 'sha256', secret, signed, received, encoding: 'hex' })) return undefined;
  return readPush(parseJson(rawBody.toString('utf8')));
}

function readPush(body: unknown): PushHint | undefined {
  const push = read(pushSchema, body);
  if (!push) return undefined;
  return push.type === 'esim' ? { kind: 'esim', iccid: push.iccid } : { kind: push.type, reference: push.reference };
}

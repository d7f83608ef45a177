/** The simulator's messages about what it sells and about eSIMs, and its pushes. */
import Joi from 'joi';
import type { EsimStatus } from '../../domain/esims/esim-lifecycle';
import { failureCodes } from '../../domain/orders/failure-codes';
import type { FailedAnswer, Refusal } from '../kit/http';
import { MAX_ROWS, optionalText, pageCount, read, text } from '../kit/reading';
import type { EsimPlan, PushHint, StockReport, SupplierBalance } from '../port';

/** Every code of the simulator's refusals. */
export const codes: readonly string[] = [
  ...failureCodes,
  'ACCOUNT_BLOCKED',
  'BAD_REQUEST',
  'BUSY',
  'INTERNAL_ERROR',
  'NOT_CANCELLABLE',
  'NOT_FOUND',
  'ONE_AT_A_TIME',
  'OUTAGE',
  'UNAUTHORIZED',
];

interface RefusalMessage {
  code: string;
  reference?: string;
}

const refusalSchema = Joi.object<{ error: RefusalMessage }>({
  error: Joi.object({ code: text.required(), message: text.required(), reference: text }).required(),
});

type Meanings = Readonly<Partial<Record<number, Refusal['meaning']>>>;

/** What the simulator documents of its refusals, by status. It gives them before anything runs. */
const meanings: Meanings = {
  400: 'refused',
  401: 'account-blocked',
  402: 'account-blocked',
  403: 'account-blocked',
  422: 'refused',
  429: 'not-run',
  503: 'not-run',
};

/** A question may also be about something that is not there, or be asked too late. */
const meaningsToQuestions: Meanings = { ...meanings, 404: 'refused', 409: 'refused' };

/**
 * `{error: {code, message}}` with a code of the simulator's: its own words. Refusing a purchase, it also names our
 * `reference` of it, which no gateway does, and no refusal of another purchase.
 */
export function readRefusal({ status, body, reference }: FailedAnswer): Refusal | undefined {
  const error = read(refusalSchema, body)?.error;
  if (!error) return undefined;
  const isOwn = reference === undefined ? codes.includes(error.code) : error.reference === reference;
  const meaning = (reference === undefined ? meaningsToQuestions : meanings)[status];
  return isOwn && meaning ? { meaning, code: error.code } : undefined;
}

interface StockPage {
  items: StockReport[];
  total_pages: number;
}

interface EsimMessage {
  /** One of the simulator's states, or one we do not know. */
  status?: string;
  installed_at: string | null;
  first_used_at: string | null;
  depleted_at: string | null;
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
  activation_policy?: string;
}

/** A time that is no date is still a sign that the thing happened. */
const time = text.allow(null).required();

const stockSchema = Joi.object<StockPage>({
  items: Joi.array()
    .items({
      sku: text.required(),
      active: Joi.boolean().required(),
      available: Joi.number().integer().min(0).allow(null).required(),
    })
    .max(MAX_ROWS)
    .required(),
  total_pages: pageCount,
});

const balanceSchema = Joi.object<SupplierBalance>({
  amount: text.pattern(/^\d+(\.\d+)?$/).required(),
  currency: text.length(3).required(),
});

const esimSchema = Joi.object<EsimMessage>({
  status: optionalText,
  installed_at: time,
  first_used_at: time,
  depleted_at: time,
});

const plansSchema = Joi.object<{ plans: PlanMessage[] }>({
  plans: Joi.array()
    .items({
      sku: text.required(),
      name: text.required(),
      description: text,
      currency: text.length(3).required(),
      price: text.pattern(/^\d+(\.\d+)?$/).required(),
      data_amount_gb: Joi.number().min(0).required(),
      // A hundred years: the end of the validity is a date in any case.
      validity_days: Joi.number().integer().min(1).max(36_500).required(),
      regions: Joi.array().items({ code: text.required(), name: text.required() }).required(),
      networks: Joi.array().items(text).required(),
      is_rechargeable: Joi.boolean().required(),
      activation_policy: text,
    })
    .max(MAX_ROWS)
    .required(),
});

const pushSchema = Joi.alternatives<
  { type: 'purchase' | 'reversal'; reference: string } | { type: 'esim'; iccid: string }
>(
  Joi.object({ type: text.valid('purchase', 'reversal').required(), reference: text.max(40).required() }),
  Joi.object({ type: text.valid('esim').required(), iccid: text.pattern(/^\d{19,20}$/).required() }),
);

/** One page of the stock report. */
export function readStockPage(body: unknown): StockPage | undefined {
  return read(stockSchema, body);
}

/** What is left of our money. */
export function readBalance(body: unknown): SupplierBalance | undefined {
  return read(balanceSchema, body);
}

/** How far an eSIM has come. */
export function readEsimStatus(body: unknown): EsimStatus | undefined {
  const message = read(esimSchema, body);
  if (!message) return undefined;
  return {
    ...(message.installed_at && { installedAt: new Date(message.installed_at) }),
    ...(message.first_used_at && { firstUsedAt: new Date(message.first_used_at) }),
    ...(message.status === 'DEPLETED' && { isDepleted: true }),
    ...(message.depleted_at && { depletedAt: new Date(message.depleted_at) }),
  };
}

/** The plans of an eSIM product. */
export function readPlans(body: unknown): EsimPlan[] | undefined {
  return read(plansSchema, body)?.plans.map((plan) => ({
    sku: plan.sku,
    name: plan.name,
    ...(plan.description !== undefined && { description: plan.description }),
    currency: plan.currency,
    price: plan.price,
    dataAmountGb: plan.data_amount_gb,
    validityDays: plan.validity_days,
    regions: plan.regions,
    networks: plan.networks,
    isRechargeable: plan.is_rechargeable,
    ...(plan.activation_policy !== undefined && { activationPolicy: plan.activation_policy }),
  }));
}

/** The hint of a push whose signature holds. */
export function readPush(body: unknown): PushHint | undefined {
  const push = read(pushSchema, body);
  if (!push) return undefined;
  return push.type === 'esim'
    ? { kind: 'esim', iccid: push.iccid }
    : { kind: push.type, reference: push.reference };
}

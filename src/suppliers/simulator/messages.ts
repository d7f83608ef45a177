/** The simulator's messages about what it sells and about eSIMs, and its pushes. */
import Joi from 'joi';
import type { EsimStatus } from '../../domain/esim-life';
import { failureCodes } from '../../domain/failure-codes';
import { pageCount, read, text, type Refusal } from '../kit/reading';
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

const refusalSchema = Joi.object<{ error: Refusal }>({
  error: Joi.object({ code: text.required(), message: text.required() }).required(),
});

/** `{error: {code, message}}`: the simulator's own words. */
export function readRefusal(body: unknown): Refusal | undefined {
  return read(refusalSchema, body)?.error;
}

interface StockPage {
  items: StockReport[];
  total_pages: number;
}

interface EsimMessage {
  installed_at: Date | null;
  first_used_at: Date | null;
  depleted_at: Date | null;
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

const time = Joi.date().iso().allow(null).required();

const stockSchema = Joi.object<StockPage>({
  items: Joi.array()
    .items({
      sku: text.required(),
      active: Joi.boolean().required(),
      available: Joi.number().integer().min(0).allow(null).required(),
    })
    .required(),
  total_pages: pageCount,
});

const balanceSchema = Joi.object<SupplierBalance>({
  amount: text.pattern(/^\d+(\.\d+)?$/).required(),
  currency: text.length(3).required(),
});

const esimSchema = Joi.object<EsimMessage>({ installed_at: time, first_used_at: time, depleted_at: time });

const plansSchema = Joi.object<{ plans: PlanMessage[] }>({
  plans: Joi.array()
    .items({
      sku: text.required(),
      name: text.required(),
      description: text,
      currency: text.length(3).required(),
      price: text.pattern(/^\d+(\.\d+)?$/).required(),
      data_amount_gb: Joi.number().min(0).required(),
      validity_days: Joi.number().integer().min(1).required(),
      regions: Joi.array().items({ code: text.required(), name: text.required() }).required(),
      networks: Joi.array().items(text).required(),
      is_rechargeable: Joi.boolean().required(),
      activation_policy: text,
    })
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
    ...(message.installed_at && { installedAt: message.installed_at }),
    ...(message.first_used_at && { firstUsedAt: message.first_used_at }),
    ...(message.depleted_at && { depletedAt: message.depleted_at }),
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

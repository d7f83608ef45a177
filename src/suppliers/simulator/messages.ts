/**
 * The simulator's messages, read leniently: what we do not know is passed over, what we rely on is
 * checked. A reader gives undefined for a message that cannot be relied on.
 */
import Joi from 'joi';
import { isFailureCode, type FailureCode } from '../../domain/failure-codes';
import { families, type Family } from '../../domain/orders';
import type { EsimPlan, EsimStatus, Goods, PurchaseReport, PushHint, StockReport } from '../port';

/** Why the simulator would not do something. */
export interface Refusal {
  code: string;
  message: string;
}

/** A purchase as the simulator tells it. */
export interface PurchaseMessage {
  id: string;
  reference: string;
  family: Family;
  units: number;
  status: 'PENDING' | 'DELIVERED' | 'REJECTED' | 'CANCELLED';
  failure_code?: string;
  goods: GoodsMessage[];
}

interface GoodsMessage {
  card_number?: string;
  pin_code?: string;
  claim_url?: string;
  expires_at?: string;
  reference_number?: string;
  operator_reference?: string;
  iccid?: string;
  activation_code?: string;
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

const text = Joi.string();
const time = Joi.date().iso().allow(null).required();

const refusalSchema = Joi.object<{ error: Refusal }>({
  error: Joi.object({ code: text.required(), message: text.required() }).required(),
});

const goodsSchema = Joi.object<GoodsMessage>({
  card_number: text,
  pin_code: text,
  claim_url: text,
  expires_at: text,
  reference_number: text,
  operator_reference: text,
  iccid: text,
  activation_code: text,
}).and('iccid', 'activation_code');

const purchaseSchema = Joi.object<PurchaseMessage>({
  id: text.required(),
  reference: text.required(),
  family: text.valid(...families).required(),
  units: Joi.number().integer().min(1).required(),
  status: text.valid('PENDING', 'DELIVERED', 'REJECTED', 'CANCELLED').required(),
  failure_code: text,
  goods: Joi.array().items(goodsSchema).required(),
});

const purchasesSchema = Joi.object<{ purchases: PurchaseMessage[] }>({
  purchases: Joi.array().items(purchaseSchema).required(),
});

const stockSchema = Joi.object<StockPage>({
  items: Joi.array()
    .items({
      sku: text.required(),
      active: Joi.boolean().required(),
      available: Joi.number().integer().min(0).allow(null).required(),
    })
    .required(),
  total_pages: Joi.number().integer().min(0).required(),
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
  { type: 'purchase'; reference: string } | { type: 'esim'; iccid: string }
>(
  Joi.object({ type: text.valid('purchase').required(), reference: text.max(40).required() }),
  Joi.object({ type: text.valid('esim').required(), iccid: text.pattern(/^\d{19,20}$/).required() }),
);

function read<T>(schema: Joi.Schema<T>, body: unknown): T | undefined {
  const read = schema.required().validate(body, { stripUnknown: true });
  return read.error ? undefined : read.value;
}

/** `{error: {code, message}}`: the supplier's own words. */
export function readRefusal(body: unknown): Refusal | undefined {
  return read(refusalSchema, body)?.error;
}

/** One purchase. */
export function readPurchase(body: unknown): PurchaseMessage | undefined {
  return read(purchaseSchema, body);
}

/** The purchases of a lookup. */
export function readPurchases(body: unknown): PurchaseMessage[] | undefined {
  return read(purchasesSchema, body)?.purchases;
}

/** One page of the stock report. */
export function readStockPage(body: unknown): StockPage | undefined {
  return read(stockSchema, body);
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
  return push.type === 'purchase'
    ? { kind: 'purchase', reference: push.reference }
    : { kind: 'esim', iccid: push.iccid };
}

/** The report a purchase message makes; undefined when its goods do not bear its status out. */
export function toReport(message: PurchaseMessage): PurchaseReport | undefined {
  const { id: supplierOrderId, status } = message;
  const goods = message.goods.flatMap((unit) => toGoods(message.family, unit) ?? []);
  if (goods.length !== message.goods.length) return undefined;
  switch (status) {
    case 'DELIVERED':
      return goods.length === message.units ? { state: status, supplierOrderId, goods } : undefined;
    case 'PENDING':
      return { state: status, supplierOrderId, goods };
    case 'REJECTED':
      return rejected(message.failure_code ?? 'UNKNOWN', `Refused: ${message.failure_code}`, goods);
    case 'CANCELLED':
      return rejected('UNKNOWN', 'Taken back before delivery', goods);
  }
}

/** A definite refusal in our terms; a code that is none of ours becomes UNKNOWN. */
export function rejected(code: string, detail: string, goods: Goods[] = []): PurchaseReport {
  const failureCode: FailureCode = isFailureCode(code) ? code : 'UNKNOWN';
  return { state: 'REJECTED', failureCode, detail, goods };
}

/** One unit; undefined when it lacks what its family lives by. */
function toGoods(family: Family, unit: GoodsMessage): Goods | undefined {
  switch (family) {
    case 'VOUCHER':
      return unit.card_number || unit.claim_url ? toVoucher(unit) : undefined;
    case 'TOPUP':
      return {
        kind: 'topup',
        ...(unit.operator_reference && { operatorReference: unit.operator_reference }),
      };
    case 'ESIM':
      if (!unit.iccid || !unit.activation_code) return undefined;
      return { kind: 'esim', iccid: unit.iccid, activationCode: unit.activation_code };
  }
}

function toVoucher(unit: GoodsMessage): Goods {
  return {
    kind: 'voucher',
    ...(unit.card_number && { cardNumber: unit.card_number }),
    ...(unit.pin_code && { pinCode: unit.pin_code }),
    ...(unit.claim_url && { claimUrl: unit.claim_url }),
    ...(unit.expires_at && { expiresAt: unit.expires_at }),
    ...(unit.reference_number && { referenceNumber: unit.reference_number }),
  };
}

/**
 * Webhook events: the types that clients can subscribe to, and the payload of each. A statement stores an event's facts
 * in the transaction that makes them true; this file renders them. docs/clients/webhooks.md.
 *
 * A redelivery equals the first delivery, whichever release sends it. Therefore the payload of stored facts never
 * changes: a payload of another shape needs facts of another version (`events.version`), and a release must render a
 * version before one stores it.
 * Rule: the types of events and their payloads
 */
import type { ClaimKind, ClaimOutcome, ClaimState } from '../orders/claim-kinds';
import { failureMeaning, isFailureCode } from '../orders/failure-codes';
import { families, familyIds, type Family } from '../orders/families';
import type { RefundReason } from '../orders/refund-reasons';
import { statesBefore, type OrderStatus } from '../orders/order-states';

/** The order statuses that have an event, in the order of the lists that clients see. */
const statusesWithEvents: readonly OrderStatus[] = ['DELIVERED', 'PARTIALLY_DELIVERED', 'FAILED', 'CANCELLED'];

/** The event that the used data of an eSIM has passed a threshold. */
const usageEventType = 'esim.usage';

/** The events about refunds after delivery, by family. */
const refundEventTypes: readonly string[] = familyIds.map((id) => `${families[id].eventPrefix}.refunded`);

/** A change of a claim. */
const claimEventType = 'claim.updated';

/** A price list may have changed. */
export const catalogueEventType = 'catalogue.changed';

/** Every type that an endpoint can list. */
export const eventTypes: readonly string[] = [
  ...familyIds.flatMap(orderEventTypes),
  ...refundEventTypes,
  claimEventType,
  'esim.installed',
  'esim.activated',
  'esim.depleted',
  usageEventType,
  'wallet.credited',
  'wallet.debited',
  'wallet.low_balance',
  catalogueEventType,
];

/**
 * The types that go only to endpoints that list them: an empty list does not include them. Every type that is added later is one of
 * them, so that no endpoint receives a type that it does not know. The SQL function `takes_event` decides.
 */
export const typesOnlyByName: readonly string[] = [
  ...orderEventTypes('TOPUP'),
  usageEventType,
  ...refundEventTypes,
  claimEventType,
  catalogueEventType,
];

/** An event for each status that an order of the family can reach. */
function orderEventTypes(family: Family): string[] {
  return statusesWithEvents
    .filter((status) => statesBefore(family, status).length > 0)
    .map((status) => `${families[family].eventPrefix}.${status.toLowerCase()}`);
}

/** The event that is sent to one endpoint, on request or for a new URL, even if the endpoint does not list its type. */
export const testEventType = 'webhook.test';

/** The stored part of an event. */
export interface EventFacts {
  type: string;
  /** The version of the facts' shape. */
  version: number;
  facts: object;
}

/** Decrypts the ICCID of the order's eSIM. */
type OpenIccid = () => string | null | undefined;

/** Facts of orders, version 1: src/data/schema/rules/facts-of-order-events.sql. Times are RFC 3339. */
interface OrderFacts {
  id: number;
  status: OrderStatus;
  client_reference: string | null;
  product_name: string;
  country_code: string | null;
  unit_amount: number;
  quantity: number;
  /** In the product's currency. */
  amount: number;
  delivered_quantity: number;
  /** In `currency`, the wallet's. */
  total_payable: number;
  currency: string;
  failure_code: string | null;
  placed_at: string;
  /** When the order reached `status`. */
  reached_at: string;
}

interface TopupFacts extends OrderFacts {
  variant_name: string;
}

interface EsimFacts extends OrderFacts {
  activation_status: string;
  data_amount_gb: number;
  validity_days: number;
}

/** The additional facts of a refund after delivery, version 1. */
interface RefundFacts {
  refund_id: number;
  /** In `currency`, the wallet's. */
  refund_amount: number;
  reason_code: RefundReason;
}

/** Facts of `claim.updated`, version 1: src/data/schema/rules/claim-decisions.sql. Never with the text of the claim. Times are RFC 3339. */
interface ClaimFacts {
  id: number;
  order_id: number;
  order_family: Family;
  unit: number | null;
  kind: ClaimKind;
  state: ClaimState;
  outcome: ClaimOutcome | null;
  replacement_order_id: number | null;
  created_at: string;
  due_at: string;
  closed_at: string | null;
}

/** The additional facts of `esim.usage`, version 1. A value is null if the supplier does not report it. */
interface UsageFacts {
  threshold_percent: number;
  data_total_mb: number | null;
  data_used_mb: number | null;
  data_left_mb: number | null;
  validity_ends_at: string | null;
}

/**
 * Renders the payload, which is `data` of the event. The order of the keys is fixed, so that the bytes of a redelivery are equal.
 * Throws for a version that only a later release knows.
 */
export function payloadOf({ type, version, facts }: EventFacts, openIccid: OpenIccid): Record<string, unknown> {
  if (version !== 1) throw new Error(`Event facts of version ${version} belong to a later release`);
  const family = familyIds.find((id) => type.startsWith(`${families[id].eventPrefix}.`));
  if (type === claimEventType) return claimOf(facts, openIccid);
  // Facts of wallets, catalogues and tests are stored as clients see them.
  if (family === undefined) return { ...facts };
  const payload = orderPayloads[family](facts, openIccid);
  if (refundEventTypes.includes(type)) return { ...payload, ...refundOf(facts, openIccid) };
  return type === usageEventType ? { ...payload, ...usageOf(facts, openIccid) } : payload;
}

type Payload = (facts: object, openIccid: OpenIccid) => Record<string, unknown>;

/** The type of an event says which facts are stored for it. */
function ofFacts<Facts>(render: (facts: Facts, openIccid: OpenIccid) => Record<string, unknown>): Payload {
  return (facts, openIccid) => render(facts as Facts, openIccid);
}

const claimOf = ofFacts(claimPayload);
const refundOf = ofFacts(refundPayload);
const usageOf = ofFacts(usagePayload);
const orderPayloads: Readonly<Record<Family, Payload>> = {
  VOUCHER: ofFacts(voucherPayload),
  TOPUP: ofFacts(topupPayload),
  ESIM: ofFacts(esimPayload),
};

function voucherPayload(order: OrderFacts) {
  const isUndone = order.status === 'FAILED' || order.status === 'CANCELLED';
  return {
    id: order.id,
    amount: order.amount,
    status: order.status,
    quantity: order.quantity,
    created_at: order.placed_at,
    delivered_on: isUndone ? null : order.reached_at,
    denomination: order.unit_amount,
    product_name: order.product_name,
    ...referenceOf(order),
    delivered_quantity: isUndone ? 0 : order.delivered_quantity,
    fulfilled_quantity: order.delivered_quantity,
  };
}

function topupPayload(order: TopupFacts) {
  return {
    id: order.id,
    amount: order.total_payable,
    status: order.status,
    currency: order.currency,
    created_at: order.placed_at,
    completed_at: order.reached_at,
    country_code: order.country_code,
    failure_code: order.failure_code,
    product_name: order.product_name,
    variant_name: order.variant_name,
    ...referenceOf(order),
    ...meaningOf(order),
  };
}

/** Events do not store the ICCID, so that neither the event log nor its backups show it. It is decrypted for each rendering. */
function esimPayload(order: EsimFacts, openIccid: OpenIccid) {
  const hasFailed = order.status === 'FAILED';
  return {
    id: order.id,
    amount: order.total_payable,
    status: order.status,
    currency: order.currency,
    country_code: order.country_code,
    ...(hasFailed && { failure_code: order.failure_code }),
    product_name: order.product_name,
    validity_days: order.validity_days,
    data_amount_gb: order.data_amount_gb,
    ...referenceOf(order),
    activation_status: order.activation_status,
    iccid: openIccid(),
    ...(hasFailed && meaningOf(order)),
  };
}

function refundPayload({ refund_id, refund_amount, reason_code }: RefundFacts) {
  return { refund_id, refund_amount, reason_code };
}

function claimPayload(claim: ClaimFacts) {
  return {
    id: claim.id,
    order_id: claim.order_id,
    order_family: claim.order_family,
    unit: claim.unit,
    kind: claim.kind,
    state: claim.state,
    outcome: claim.outcome,
    replacement_order_id: claim.replacement_order_id,
    created_at: claim.created_at,
    due_at: claim.due_at,
    closed_at: claim.closed_at,
  };
}

function usagePayload(usage: UsageFacts) {
  return {
    threshold_percent: usage.threshold_percent,
    data_total_mb: usage.data_total_mb,
    data_used_mb: usage.data_used_mb,
    data_left_mb: usage.data_left_mb,
    validity_ends_at: usage.validity_ends_at,
  };
}

function referenceOf({ client_reference }: OrderFacts) {
  return client_reference === null ? {} : { client_reference };
}

function meaningOf({ failure_code: code }: OrderFacts) {
  if (code === null || !isFailureCode(code)) return {};
  const { reason, userFixable } = failureMeaning(code);
  return { failure_reason: reason, is_user_fixable: userFixable };
}

/** The mail about the end of an order: the variables of its templates. docs/operators/mail.md. */
import type { OrderToMail } from '../../data/purchases/families';
import type { Database } from '../../data/database/database';
import { listDeliveredVouchers } from '../../data/orders/order-reads';
import type { VoucherRow } from '../../data/orders/order-rows';
import { openCodes } from '../../data/orders/voucher-codes';
import { installationLinks, installationSteps } from '../../domain/esims/esim-installation';
import { failureMeaning } from '../../domain/orders/failure-codes';
import type { InputField } from '../../domain/orders/customer-input';
import { isWebAddress } from '../../domain/orders/usable-goods';
import { Exact } from '../../domain/prices/money';
import { orderWorkflowId } from '../../domain/orders/order-ids';
import { orderPath } from '../../domain/orders/families';
import { minuteText } from '../../domain/time';
import { esimField, orderField, type Sealer } from '../../security/sealing';
import type { Mail } from './send';
import { renderMail } from './templates';
import { parseInput } from '../../domain/orders/customer-input';

/** Mail programs cut off long mails, so clients fetch the codes of larger orders from the API. */
const MAX_VOUCHERS = 100;

type OrderOf<F extends OrderToMail['family']> = OrderToMail & { family: F };

/** Reads the vouchers and composes the order's mail. The same order always has the same Message-ID. */
export async function composeOrderMail(database: Database, sealer: Sealer, order: OrderToMail): Promise<Mail> {
  const vouchers = showsVouchers(order) ? await listDeliveredVouchers(database, order.orderId) : [];
  return orderMail(sealer, order, vouchers);
}

/** Whether the vouchers' codes go into the mail. */
export function showsVouchers(order: OrderToMail): boolean {
  return order.family === 'VOUCHER' && order.codesInMail && order.delivered <= MAX_VOUCHERS;
}

/** The order's mail. `vouchers`: the vouchers whose codes the mail shows. */
export async function orderMail(sealer: Sealer, order: OrderToMail, vouchers: VoucherRow[]): Promise<Mail> {
  const goods = goodsOf(sealer, order, vouchers);
  const rendered = await renderMail(order.family.toLowerCase(), { ...commonVariables(order), ...goods });
  return {
    ...rendered,
    to: sealer.open(orderField(order.nonce, 'email'), order.sealedEmail),
    messageId: orderWorkflowId(order.orderId, order.nonce),
  };
}

function commonVariables(order: OrderToMail) {
  return {
    family: order.family,
    status: order.status,
    order_id: order.orderId,
    path: orderPath(order.family, order.orderId),
    client: order.clientName,
    product: order.productName,
    quantity: order.quantity,
    delivered: order.delivered,
    missing: order.quantity - order.delivered,
    placed_at: `${minuteText(order.placedAt)} UTC`,
    refunded: order.refunded,
    failure_reason: failureReason(order),
  };
}

/** The reason as the recipient reads it; null if the order did not fail, and for UNKNOWN. */
function failureReason({ failureCode }: OrderToMail): string | null {
  return failureCode === null || failureCode === 'UNKNOWN' ? null : failureMeaning(failureCode).reason;
}

/** Face value of one unit. Not for eSIMs, whose face value is the price that the client pays. */
function faceValueText({ faceValue, minorUnit, currency }: OrderToMail): string {
  return `${new Exact(faceValue).toFixed(minorUnit)} ${currency}`;
}

function goodsOf(sealer: Sealer, order: OrderToMail, vouchers: VoucherRow[]) {
  switch (order.family) {
    case 'VOUCHER':
      return voucherVariables(sealer, order, vouchers);
    case 'TOPUP':
      return topupVariables(sealer, order);
    case 'ESIM':
      return esimVariables(sealer, order);
  }
}

function voucherVariables(sealer: Sealer, order: OrderOf<'VOUCHER'>, vouchers: VoucherRow[]) {
  return {
    face_value: faceValueText(order),
    validity: order.validity,
    how_to_use: order.howToUse,
    vouchers: vouchers.map((voucher) => openVoucher(sealer, order.orderId, voucher)),
  };
}

function openVoucher(sealer: Sealer, orderId: number, voucher: VoucherRow) {
  const { cardNumber, pinCode, claimUrl, referenceNumber } = openCodes(
    sealer,
    { orderId, unit: voucher.unit },
    voucher.sealedCodes,
  );
  return {
    card_number: cardNumber ?? null,
    pin_code: pinCode ?? null,
    claim_url: claimUrl ?? null,
    // A supplier's text: only a web address becomes a link.
    claim_link: claimUrl !== undefined && isWebAddress(claimUrl) ? claimUrl : null,
    reference_number: referenceNumber ?? null,
    expires_on: voucher.expiresAt?.toISOString().slice(0, 10) ?? null,
  };
}

function topupVariables(sealer: Sealer, order: OrderOf<'TOPUP'>) {
  const json = sealer.open(orderField(order.nonce, 'input'), order.sealedInput);
  const input = parseInput(json);
  const fields = order.inputFields ?? [];
  return {
    face_value: faceValueText(order),
    plan: order.variantName,
    inputs: Object.entries(input).map(([name, value]) =>
      labelled(
        fields.find((field) => field.field_name === name),
        name,
        String(value),
      ),
    ),
  };
}

/** The label of an input, and its value. The value of a field with options becomes the label of the chosen option. */
function labelled(field: InputField | undefined, name: string, value: string) {
  const option = field?.options?.find((candidate) => candidate.value === value);
  return { label: field?.field_label ?? name, value: option?.label ?? value };
}

function esimVariables(sealer: Sealer, order: OrderOf<'ESIM'>) {
  const place = esimField(order.orderId, 'activation_code');
  const code = sealer.openOptional(place, order.sealedActivationCode);
  const dataGb = new Exact(order.dataAmountGb);
  return {
    data_gb: dataGb.isZero() ? null : dataGb.toFixed(),
    validity_days: order.validityDays,
    is_recharge: order.isRecharge,
    activation: code === null ? null : activation(code),
    installation_steps: installationSteps,
  };
}

/** The parts of `LPA:1$<server>$<matching id>` that phones ask for (GSMA SGP.22, 4.1), and links. */
function activation(code: string) {
  const [, server = '', matchingId = ''] = code.split('$');
  return { code, server, matching_id: matchingId, links: installationLinks(code) };
}

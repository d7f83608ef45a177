/**
 * What an order waits for, and what operators can do about it. The Temporal UI, the ops CLI and the pages show the same.
 * Rule: which decisions an operator has about an order
 */

/** What an operator can do with an open order. */
const choices = ['RELEASE', 'RETRY', 'CANCEL', 'RESOLVE'] as const;
export type OpenOrderChoice = (typeof choices)[number];

/** What decides whether an operator can do something with an open order. */
export interface OpenOrderState {
  /** Whether it is under review: then nothing else can be done. */
  isHeld: boolean;
  delivered: number;
  cancellationRequested: boolean;
  /** Why the outcome of a purchase is unknown; null if none is. */
  outcomeUnknown: string | null;
  /** The supplier that has accepted a purchase, and cancels none; absent without one, or if that is not known. */
  acceptedBy?: string | undefined;
  /** Why it is on the attention list; null if it is not. */
  attention: string | null;
}

/**
 * What prevents an operator from this, as far as the state of the order shows it; undefined if nothing does. The workflow decides once
 * more, because the supplier may know better.
 */
export function obstacleToChoice(choice: OpenOrderChoice, order: OpenOrderState): string | undefined {
  const { isHeld, delivered, cancellationRequested, outcomeUnknown, acceptedBy, attention } = order;
  switch (choice) {
    case 'RELEASE':
      return isHeld ? undefined : 'it is not under review';
    case 'RETRY':
      return isHeld ? UNDER_REVIEW : undefined;
    case 'RESOLVE':
      if (isHeld) return UNDER_REVIEW;
      return (outcomeUnknown ?? attention) === null ? 'it waits for no decision' : undefined;
    case 'CANCEL':
      if (delivered > 0) return 'a part of it is delivered';
      if (cancellationRequested) return 'its cancellation is under way';
      if (outcomeUnknown !== null) return 'nobody knows yet whether the supplier sold it. Resolve it instead';
      return acceptedBy === undefined ? undefined : `${acceptedBy} has accepted the purchase, and cancels none`;
  }
}

const UNDER_REVIEW = 'it is under review. Release or cancel it';

/** The choices for an open order. */
export function choicesWhileOpen(order: OpenOrderState): OpenOrderChoice[] {
  return choices.filter((choice) => obstacleToChoice(choice, order) === undefined);
}

/** Why nothing can be bought from a supplier at the moment. */
export interface SupplierTrouble {
  isBlocked: boolean;
  /** As in the API. */
  since: string;
  /** The error of the last call, as the adapter wrote it. */
  error: string;
}

/** The progress of an open order. */
export interface WaitingOrder {
  /** Whether it is under review. */
  isHeld: boolean;
  quantity: number;
  delivered: number;
  /** Of the newest purchase. */
  supplier: string;
  /** Null unless the supplier blocks our account, or its calls fail. */
  supplierTrouble: SupplierTrouble | null;
  /** Purchases that the supplier has, or may have. */
  open: number;
  attention: string | null;
}

/** Why the open order waits. */
export function waitingReason(order: WaitingOrder): string {
  const { isHeld, attention, supplier, supplierTrouble, open, delivered, quantity } = order;
  if (isHeld)
    return `it is under review: ${attention ?? 'a rule holds it'} (decide it with: orders release or orders cancel)`;
  if (attention !== null) return `${attention} (decide it with: orders resolve)`;
  if (supplierTrouble) return troubleText(supplier, supplierTrouble);
  const goods = `${delivered} of ${quantity} units delivered`;
  if (open > 0) return `supplier ${supplier} has accepted the purchase but not concluded it; ${goods}`;
  return `supplier ${supplier} has not accepted the purchase yet; ${goods}`;
}

/** The status and the code of a response in an error, such as `503 OUTAGE`. */
const response = /\b([45]\d\d(?: [A-Z_]+)?)\b/;

function troubleText(supplier: string, { isBlocked, since, error }: SupplierTrouble): string {
  const [, status] = response.exec(error) ?? [];
  const shown = status === undefined ? '' : ` (${status})`;
  return isBlocked
    ? `supplier ${supplier} rejects our account${shown} since ${since}`
    : `calls of supplier ${supplier} fail${shown} since ${since}`;
}

/** An order as it stands, open or ended. */
export interface StandingOrder extends WaitingOrder {
  id: number;
  isOver: boolean;
  /** The refund that is due and not credited, with its currency; null without one. */
  refundDue: string | null;
  walletId: number;
  isWalletClosed: boolean;
  hasEmail: boolean;
  /** Whether the result was mailed, or its mail was given up. */
  isMailDone: boolean;
}

/** What the order waits for, as a sentence; null if nothing is left to do. */
export function waitsFor(order: StandingOrder): string | null {
  if (!order.isOver) return `Waits: ${waitingReason(order)}.`;
  if (order.refundDue !== null) {
    const wallet = order.isWalletClosed ? `, because wallet ${order.walletId} is closed` : '';
    return `Waits for its refund of ${order.refundDue}${wallet}.`;
  }
  return order.hasEmail && !order.isMailDone ? 'Waits until its result is mailed.' : null;
}

/** The commands about an order, in the sequence in which pages offer them. Each checks itself whether the state of the order allows it. */
export function commandsAbout({
  id,
  walletId,
  refundDue,
  isWalletClosed,
}: Pick<StandingOrder, 'id' | 'walletId' | 'refundDue' | 'isWalletClosed'>): string[] {
  return [
    `orders release ${id} --reason <text>`,
    `orders retry ${id}`,
    `orders cancel ${id} --reason <text>`,
    `orders resolve ${id} ask-again|not-bought|delivered|elsewhere|unusable --reason <text>`,
    ...(refundDue !== null && isWalletClosed ? [`wallets reopen ${walletId}`] : []),
    `orders refund ${id} --reason <text>`,
    `mail resend ${id}`,
    `esims poll ${id}`,
    `orders reveal ${id} --reason <text>`,
  ];
}

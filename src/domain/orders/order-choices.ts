/** What an order waits for, and what operators can do about it. The Temporal UI, the ops CLI and the pages show the same. */
import { Exact } from '../prices/money';
import type { Family } from './families';
import type { OrderStatus } from './order-states';

/** What an operator can do with an open order. */
export type OpenOrderChoice = 'RELEASE' | 'RETRY' | 'CANCEL' | 'RESOLVE';

/** The choices for an open order, as far as its state shows them: its workflow checks each one again. */
export function choicesWhileOpen(order: {
  /** Whether it is under review: then nothing else can be done. */
  isHeld: boolean;
  delivered: number;
  cancellationRequested: boolean;
  /** Why it is on the attention list; null if it is not. */
  attention: string | null;
}): OpenOrderChoice[] {
  const { isHeld, delivered, cancellationRequested, attention } = order;
  const cancellations = delivered > 0 || cancellationRequested ? [] : (['CANCEL'] as const);
  if (isHeld) return ['RELEASE', ...cancellations];
  return ['RETRY', ...cancellations, ...(attention === null ? [] : (['RESOLVE'] as const))];
}

/** The progress of an open order. */
export interface WaitingOrder {
  /** Whether it is under review. */
  isHeld: boolean;
  quantity: number;
  delivered: number;
  /** Of the newest purchase. */
  supplier: string;
  /** The error if the supplier blocks our account, or if its calls fail; null if neither. */
  supplierError: string | null;
  /** Purchases that the supplier has, or may have. */
  open: number;
  attention: string | null;
}

/** Why the open order waits. */
export function waitingReason(order: WaitingOrder): string {
  const { isHeld, attention, supplier, supplierError, open, delivered, quantity } = order;
  if (isHeld)
    return `it is under review: ${attention ?? 'a rule holds it'} (decide it with: orders release or orders cancel)`;
  if (attention !== null) return `${attention} (decide it with: orders resolve)`;
  if (supplierError !== null) return `supplier ${supplier} rejects or fails calls: ${supplierError}`;
  const goods = `${delivered} of ${quantity} units delivered`;
  if (open > 0) return `supplier ${supplier} has accepted the purchase but not concluded it; ${goods}`;
  return `supplier ${supplier} has not accepted the purchase yet; ${goods}`;
}

/** An order as it stands, open or ended. */
export interface StandingOrder extends WaitingOrder {
  id: number;
  family: Family;
  status: OrderStatus;
  isOver: boolean;
  /** The refund that is due and not credited, with its currency; null without one. */
  refundDue: string | null;
  /** What refunds can still give back, in the wallet's currency; null while the order is open. */
  refundable: string | null;
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

const whileOpen: Readonly<Record<OpenOrderChoice, string>> = {
  RELEASE: 'orders release <order> --reason <text>',
  RETRY: 'orders retry <order>',
  CANCEL: 'orders cancel <order> --reason <text>',
  RESOLVE: 'orders resolve <order> ask-again|not-bought|delivered|elsewhere|unusable --reason <text>',
};

/** The commands that the state of the order allows, for all roles. */
export function commandsFor(order: StandingOrder): string[] {
  const { id, family, status, isOver, refundDue, refundable, walletId, isWalletClosed, hasEmail } = order;
  const choices = isOver ? [] : choicesWhileOpen({ ...order, cancellationRequested: false });
  const commands = [
    ...choices.map((choice) => whileOpen[choice]),
    ...(refundDue !== null && isWalletClosed ? [`wallets reopen ${walletId}`] : []),
    ...(refundDue !== null || new Exact(refundable ?? 0).gt(0)
      ? ['orders refund <order> --reason <text>']
      : []),
    ...(isOver && hasEmail ? ['mail resend <order>'] : []),
    ...(family === 'ESIM' && status === 'DELIVERED' ? ['esims poll <order>'] : []),
    ...(hasEmail || family !== 'VOUCHER' ? ['orders reveal <order> --reason <text>'] : []),
  ];
  return commands.map((command) => command.replace('<order>', String(id)));
}

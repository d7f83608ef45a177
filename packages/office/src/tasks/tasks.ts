/** The operations that have a dialog of their own. Every other one has a form that is made from its description. */
import type { ComponentType } from 'preact';
import type { Values } from '../call';
import type { TaskProps } from '../parts/task-form';
import { ApproveTask, RejectProposalTask } from './approvals';
import { AcceptTask, RejectTask, SupplierCreditTask } from './claims';
import { CancelTask, ReleaseTask, ResolveTask } from './decisions';
import { DiscountTask, MarginTask } from './prices';
import { RefundTask } from './refund';
import { RevealTask } from './reveal';
import { AdjustTask, FundTask } from './wallets';

interface Task {
  title: (given: Values) => string;
  content: ComponentType<TaskProps>;
}

export const tasks = new Map<string, Task>(
  Object.entries({
    'orders refund': { title: ({ order }) => `Refund order ${order}`, content: RefundTask },
    'orders cancel': { title: ({ order }) => `Cancel order ${order}`, content: CancelTask },
    'orders release': { title: ({ order }) => `Release order ${order}`, content: ReleaseTask },
    'orders resolve': { title: ({ order }) => `Resolve order ${order}`, content: ResolveTask },
    'orders reveal': { title: ({ order }) => `Recipient of order ${order}`, content: RevealTask },
    'claims accept': { title: ({ claim }) => `Accept claim ${claim}`, content: AcceptTask },
    'claims reject': { title: ({ claim }) => `Reject claim ${claim}`, content: RejectTask },
    'claims credit': {
      title: ({ claim }) => `Supplier’s credit for claim ${claim}`,
      content: SupplierCreditTask,
    },
    'wallets fund': { title: () => 'Credit received money', content: FundTask },
    'wallets adjust': { title: () => 'Correct the balance', content: AdjustTask },
    'discounts set': { title: () => 'Set a discount', content: DiscountTask },
    'margins set': { title: () => 'Set a margin', content: MarginTask },
    'approvals approve': { title: ({ proposal }) => `Approve proposal ${proposal}`, content: ApproveTask },
    'approvals reject': {
      title: ({ proposal }) => `Reject proposal ${proposal}`,
      content: RejectProposalTask,
    },
  } satisfies Record<string, Task>),
);

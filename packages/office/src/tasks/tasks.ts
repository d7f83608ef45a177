/** The operations that have a dialog of their own. Every other one has a form that is made from its description. */
import type { ComponentType } from 'preact';
import type { Values } from '../call';
import { textOf } from '../parts/cells';
import type { TaskProps } from '../parts/task-form';
import { ApproveTask, RejectProposalTask } from './approvals';
import { AcceptTask, RejectTask, SupplierCreditTask } from './claims';
import { CancelTask, ReleaseTask, ResolveTask } from './decisions';
import { OpenClaimTask } from './open-claim';
import { DiscountTask, MarginTask } from './prices';
import { RefundTask } from './refund';
import { RevealTask } from './reveal';
import { StopTask } from './stop';
import { SuspendTask } from './suspension';
import { AdjustTask, FundTask } from './wallets';

interface Task {
  title: string;
  /** The argument that the title names, too. */
  names?: string;
  content: ComponentType<TaskProps>;
}

const tasks = new Map<string, Task>(
  Object.entries({
    'orders refund': { title: 'Refund order', names: 'order', content: RefundTask },
    'orders cancel': { title: 'Cancel order', names: 'order', content: CancelTask },
    'orders release': { title: 'Release order', names: 'order', content: ReleaseTask },
    'orders resolve': { title: 'Resolve order', names: 'order', content: ResolveTask },
    'orders reveal': { title: 'Recipient of order', names: 'order', content: RevealTask },
    'claims open': { title: 'Claim about order', names: 'order', content: OpenClaimTask },
    'claims accept': { title: 'Accept claim', names: 'claim', content: AcceptTask },
    'claims reject': { title: 'Reject claim', names: 'claim', content: RejectTask },
    'claims credit': { title: 'Supplier’s credit for claim', names: 'claim', content: SupplierCreditTask },
    'wallets fund': { title: 'Credit received money', content: FundTask },
    'wallets adjust': { title: 'Correct the balance', content: AdjustTask },
    'clients suspend': { title: 'Suspend the client', content: SuspendTask },
    'products stop': { title: 'Stop the sale', content: StopTask },
    'discounts set': { title: 'Set a discount', content: DiscountTask },
    'margins set': { title: 'Set a margin', content: MarginTask },
    'approvals approve': { title: 'Approve proposal', names: 'proposal', content: ApproveTask },
    'approvals reject': { title: 'Reject proposal', names: 'proposal', content: RejectProposalTask },
  } satisfies Record<string, Task>),
);

/** The dialog of an operation, with its title; undefined if it has none of its own. */
export function taskOf(operation: string, given: Values): Pick<Task, 'title' | 'content'> | undefined {
  const task = tasks.get(operation);
  if (task?.names === undefined) return task;
  return { ...task, title: `${task.title} ${textOf(given[task.names])}` };
}

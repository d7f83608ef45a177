/** The operations that have a dialog of their own. Every other one has a form that is made from its description. */
import type { ComponentType } from 'preact';
import type { Values } from '../call';
import { textOf } from '../parts/cells';
import { later } from '../parts/later';
import type { TaskProps } from '../parts/task-form';

interface Task {
  title: string;
  /** The argument that the title names, too. */
  names?: string;
  content: ComponentType<TaskProps>;
}

const dialog = (name: keyof typeof import('./dialogs')): ComponentType<TaskProps> =>
  later(async () => (await import('./dialogs'))[name]);

const tasks = new Map<string, Task>(
  Object.entries({
    'orders refund': { title: 'Refund order', names: 'order', content: dialog('RefundTask') },
    'orders cancel': { title: 'Cancel order', names: 'order', content: dialog('CancelTask') },
    'orders release': { title: 'Release order', names: 'order', content: dialog('ReleaseTask') },
    'orders resolve': { title: 'Resolve order', names: 'order', content: dialog('ResolveTask') },
    'orders reveal': { title: 'Recipient of order', names: 'order', content: dialog('RevealTask') },
    'claims open': { title: 'Claim about order', names: 'order', content: dialog('OpenClaimTask') },
    'claims accept': { title: 'Accept claim', names: 'claim', content: dialog('AcceptTask') },
    'claims reject': { title: 'Reject claim', names: 'claim', content: dialog('RejectTask') },
    'claims credit': {
      title: 'Supplier’s credit for claim',
      names: 'claim',
      content: dialog('SupplierCreditTask'),
    },
    'wallets fund': { title: 'Credit received money', content: dialog('FundTask') },
    'wallets adjust': { title: 'Correct the balance', content: dialog('AdjustTask') },
    'clients suspend': { title: 'Suspend the client', content: dialog('SuspendTask') },
    'products stop': { title: 'Stop the sale', content: dialog('StopTask') },
    'discounts set': { title: 'Set a discount', content: dialog('DiscountTask') },
    'margins set': { title: 'Set a margin', content: dialog('MarginTask') },
    'approvals approve': { title: 'Approve proposal', names: 'proposal', content: dialog('ApproveTask') },
    'approvals reject': {
      title: 'Reject proposal',
      names: 'proposal',
      content: dialog('RejectProposalTask'),
    },
  } satisfies Record<string, Task>),
);

/** The dialog of an operation, with its title; undefined if it has none of its own. */
export function taskOf(operation: string, given: Values): Pick<Task, 'title' | 'content'> | undefined {
  const task = tasks.get(operation);
  if (task?.names === undefined) return task;
  return { ...task, title: `${task.title} ${textOf(given[task.names])}` };
}

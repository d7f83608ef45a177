/** The operations that have a dialog of their own. Every other one has a form that is made from its description. */
import type { ComponentType } from 'preact';
import type { Values } from '../call';
import { textOf } from '../parts/cells';
import { later } from '../parts/later';
import type { TaskProps } from '../parts/task-form';
import type { dialogs } from './dialogs';

interface Title {
  title: string;
  /** The argument that the title names, too. */
  names?: string;
}

type Operation = keyof typeof dialogs;

const titles: Readonly<Record<Operation, Title>> = {
  'orders refund': { title: 'Refund order', names: 'order' },
  'orders cancel': { title: 'Cancel order', names: 'order' },
  'orders release': { title: 'Release order', names: 'order' },
  'orders resolve': { title: 'Resolve order', names: 'order' },
  'orders reveal': { title: 'Recipient of order', names: 'order' },
  'claims open': { title: 'Claim about order', names: 'order' },
  'claims accept': { title: 'Accept claim', names: 'claim' },
  'claims reject': { title: 'Reject claim', names: 'claim' },
  'claims credit': { title: 'Supplier’s credit for claim', names: 'claim' },
  'wallets fund': { title: 'Credit received money' },
  'wallets adjust': { title: 'Correct the balance' },
  'clients suspend': { title: 'Suspend the client' },
  'products stop': { title: 'Stop the sale' },
  'discounts set': { title: 'Set a discount' },
  'margins set': { title: 'Set a margin' },
  'approvals approve': { title: 'Approve proposal', names: 'proposal' },
  'approvals reject': { title: 'Reject proposal', names: 'proposal' },
};

const tasks = new Map<string, Title & { content: ComponentType<TaskProps> }>(
  (Object.keys(titles) as Operation[]).map((operation) => [
    operation,
    { ...titles[operation], content: later(async () => (await import('./dialogs')).dialogs[operation]) },
  ]),
);

/** The dialog of an operation, with its title; undefined if it has none of its own. */
export function taskOf(
  operation: string,
  given: Values,
): { title: string; content: ComponentType<TaskProps> } | undefined {
  const task = tasks.get(operation);
  if (task?.names === undefined) return task;
  return { ...task, title: `${task.title} ${textOf(given[task.names])}` };
}

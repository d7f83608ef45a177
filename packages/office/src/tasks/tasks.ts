/** The operations that have a dialog of their own. Every other one has a form that is made from its description. */
import type { ComponentType } from 'preact';
import type { Values } from '../call';
import type { TaskProps } from '../parts/task-form';
import { CancelTask, ReleaseTask, ResolveTask } from './decisions';
import { RefundTask } from './refund';

interface Task {
  title: (given: Values) => string;
  content: ComponentType<TaskProps>;
}

export const tasks = new Map<string, Task>(
  Object.entries({
    'orders cancel': { title: ({ order }) => `Cancel order ${order}`, content: CancelTask },
    'orders release': { title: ({ order }) => `Release order ${order}`, content: ReleaseTask },
    'orders resolve': { title: ({ order }) => `Resolve order ${order}`, content: ResolveTask },
    'orders refund': { title: ({ order }) => `Refund order ${order}`, content: RefundTask },
  } satisfies Record<string, Task>),
);

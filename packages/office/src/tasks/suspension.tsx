/** Suspends a client. docs/operators/runbook.md. */
import { useState } from 'preact/hooks';
import { TaskForm, type TaskProps } from '../parts/task-form';
import { Check } from './fields';

export function SuspendTask(props: TaskProps) {
  const [isHeld, setIsHeld] = useState(false);
  return (
    <TaskForm
      {...props}
      button="Suspend"
      isDanger
      values={{ ...props.given, ...(isHeld && { hold: true }) }}
      said={() => 'The client is suspended.'}
    >
      <Check
        label="Hold its open orders, too, of which nothing is bought yet"
        {...{ isChecked: isHeld, check: setIsHeld }}
      />
    </TaskForm>
  );
}

/** The decision about what another person proposed. docs/operators/approvals.md. */
import { useState } from 'preact/hooks';
import { TaskForm, type TaskProps } from '../parts/task-form';
import { Reason } from './fields';

export function ApproveTask(props: TaskProps) {
  return <Decide {...props} button="Approve and carry out" said={() => 'Approved, and carried out.'} />;
}

export function RejectProposalTask(props: TaskProps) {
  return <Decide {...props} button="Reject" said={() => 'Rejected. Nothing was done.'} isDanger />;
}

function Decide(props: TaskProps & { button: string; said: () => string; isDanger?: boolean }) {
  const [reason, setReason] = useState('');
  return (
    <TaskForm {...props} values={{ ...props.given, ...(reason.trim() && { reason }) }} previewed={props.given}>
      <Reason label="Reason (optional)" {...{ reason, write: setReason }} />
    </TaskForm>
  );
}

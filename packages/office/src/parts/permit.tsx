import { useId } from 'preact/hooks';
import type { OperationView } from '../operations';

interface PermitProps {
  operation: OperationView;
  isForced: boolean;
  setIsForced: (isForced: boolean) => void;
}

/** The box by which a person permits what the operation rejects at first, such as a large change. */
export function Permit({ operation, isForced, setIsForced }: PermitProps) {
  const id = useId();
  return (
    <p class="check">
      <input
        id={id}
        type="checkbox"
        checked={isForced}
        onChange={(event) => setIsForced(event.currentTarget.checked)}
      />
      <label for={id}>{operation.arguments.find(({ name }) => name === 'force')?.about ?? 'Permit it'}</label>
    </p>
  );
}

import { useState } from 'preact/hooks';
import { Dialog, type Kind } from '../../../parts/src/basics';
import type { Values } from '../call';
import { useOperation } from '../office';
import { OperationForm } from './operation-form';

interface DoProps {
  /** The name of the operation. */
  operation: string;
  given?: Values | undefined;
  choices?: Readonly<Record<string, readonly string[]>>;
  /** What the button says, if it depends on the page. Default: what the operation says. */
  label?: string;
  kind?: Kind;
  /** Called once the dialog of a change that was made is closed. */
  done?: () => void;
}

/** A button that opens the form of an operation. Nothing for a role that may not use it. */
export function Do({ operation: name, given, choices, label, kind = 'plain', done }: DoProps) {
  const operation = useOperation(name);
  const [isOpen, setIsOpen] = useState(false);
  const [hasChanged, setHasChanged] = useState(false);
  if (!operation) return null;
  const close = () => {
    setIsOpen(false);
    setHasChanged(false);
    if (hasChanged) done?.();
  };
  return (
    <>
      <button type="button" class={kind} onClick={() => setIsOpen(true)}>
        {label ?? operation.button}
      </button>
      {isOpen && (
        <Dialog title={operation.button} close={close}>
          <p class="quiet">{operation.about}.</p>
          <OperationForm {...{ operation, given, choices }} done={() => setHasChanged(true)} />
        </Dialog>
      )}
    </>
  );
}

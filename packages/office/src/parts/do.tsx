import { useRef, useState } from 'preact/hooks';
import { Dialog, type Kind } from '../../../parts/src/basics';
import type { Values } from '../call';
import { useOperation } from '../office';
import { useOffer } from './offers';
import { OperationForm } from './operation-form';

interface DoProps {
  /** The name of the operation. */
  operation: string;
  given?: Values | undefined;
  /** Of an action that the service offers. */
  choices?: Readonly<Record<string, readonly string[]>>;
  /** What the button says, if it depends on the page. Default: what the operation says. */
  label?: string;
  kind?: Kind;
  /** It belongs to a row of a list, whose state the list has judged. */
  isInRow?: boolean;
  /** Called once a change is made and its dialog is closed. */
  done?: () => void;
}

/** A button that opens the form of an operation. Nothing for a role that may not use it, and while it cannot be done. */
export function Do({
  operation: name,
  given,
  choices,
  label,
  kind = 'plain',
  isInRow = false,
  done,
}: DoProps) {
  const operation = useOperation(name);
  const [isOpen, setIsOpen] = useState(false);
  const [hasChanged, setHasChanged] = useState(false);
  const isShown = useRef(false);
  const isKnown = !operation || operation.effect === 'reads' || !given || choices !== undefined || isInRow;
  const isOffered = useOffer({ operation: name, arguments: given ?? {} }, isKnown);
  if (!operation || !isOffered) return null;
  const open = () => {
    isShown.current = true;
    setIsOpen(true);
  };
  const close = () => {
    isShown.current = false;
    setIsOpen(false);
    setHasChanged(false);
    if (hasChanged) done?.();
  };
  // A person may close the dialog before the operation ends.
  const changed = () => (isShown.current ? setHasChanged(true) : done?.());
  return (
    <>
      <button type="button" class={kind} onClick={open}>
        {label ?? operation.button}
      </button>
      {isOpen && (
        <Dialog title={operation.button} close={close}>
          <p class="quiet">{operation.about}.</p>
          <OperationForm {...{ operation, given, choices }} done={changed} />
        </Dialog>
      )}
    </>
  );
}

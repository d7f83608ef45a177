/** Forms whose fields show what the API rejects. */
import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useId, useRef } from 'preact/hooks';
import type { Rejection } from './rejection';
import { Failure, focusFirstField, Rejected, useRun, type Kind } from './basics';

/** The rejection of the surrounding form. */
const RejectionOfForm = createContext<Rejection | undefined>(undefined);

/** The attributes that connect a control with its label, its hint and its rejection. */
interface ControlAttributes {
  id: string;
  name?: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
}

interface FieldProps {
  label: string;
  hint?: string | undefined;
  /** The name by which `error.param` blames the field; undefined if nothing does. */
  name?: string;
  children: (attributes: ControlAttributes) => ComponentChildren;
}

/** A control with a label, an optional hint and, once the API rejects it, the reason. `children` receives its attributes. */
export function Field({ label, hint, name, children }: FieldProps) {
  const id = useId();
  const rejection = useContext(RejectionOfForm);
  const reason = name !== undefined && rejection?.param === name ? labelled(rejection.text, name, label) : undefined;
  const notes = [hint !== undefined && `${id}-hint`, reason !== undefined && `${id}-reason`].filter(Boolean);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(name !== undefined && { name }),
        ...(notes.length > 0 && { 'aria-describedby': notes.join(' ') }),
        ...(reason !== undefined && { 'aria-invalid': true }),
      })}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <Failure text={reason} id={`${id}-reason`} />
    </div>
  );
}

/** The text with the label of the field, which it names as the API does. */
function labelled(text: string, name: string, label: string): string {
  const own = name.split('.').at(-1) ?? name;
  return text.startsWith(`${own} `) ? `${label}${text.slice(own.length)}` : text;
}

interface FormProps {
  children: ComponentChildren;
  submit: () => Promise<unknown>;
  /** The text of the button; undefined while nothing can be submitted. */
  button: ComponentChildren;
  kind?: Kind;
  class?: string;
  /** The rejection of a read that depends on the fields. The page shows its text; the form marks its field. */
  rejection?: Rejection | undefined;
  /** What stands beside the button, such as the effect. */
  beside?: ComponentChildren;
  /** Whether the button can be pressed now. Default: always. */
  isReady?: boolean;
  /** Whether the form shows the error that no field has. False if the page shows it itself. */
  isTextShown?: boolean;
}

/**
 * A form that runs an action once at a time, by its button or by Enter. If the API rejects the action because of a field, the
 * field shows the reason and gets the focus. Any other error is shown below the button.
 */
export function Form({
  children,
  submit,
  button,
  kind = 'primary',
  class: name,
  rejection,
  beside,
  isReady = true,
  isTextShown = true,
}: FormProps) {
  const { isBusy, rejection: ofAction, start } = useRun(submit);
  const form = useRef<HTMLFormElement>(null);
  const blamed = ofAction && controlNamed(form.current, ofAction.param);
  useEffect(() => blamed?.focus(), [ofAction]);
  // A form that its dialog shows later, once it has read what it needs.
  useEffect(() => focusFirstField(form.current?.closest('dialog[open]')), []);
  const onSubmit = (event: Event) => {
    event.preventDefault();
    if (button !== undefined && isReady) start();
  };
  const submitButton = button !== undefined && (
    <button class={kind} aria-busy={isBusy} disabled={!isReady}>
      {button}
    </button>
  );
  return (
    <form ref={form} class={name ?? ''} onSubmit={onSubmit}>
      <RejectionOfForm.Provider value={ofAction ?? rejection}>{children}</RejectionOfForm.Provider>
      {beside === undefined && submitButton}
      {!blamed && isTextShown && <Rejected of={ofAction} />}
      {beside !== undefined && (
        <div class="form-end">
          {beside}
          {submitButton}
        </div>
      )}
    </form>
  );
}

function controlNamed(form: HTMLFormElement | null, name: string | undefined): HTMLElement | undefined {
  const control = name === undefined ? null : form?.elements.namedItem(name);
  return control instanceof HTMLElement ? control : undefined;
}

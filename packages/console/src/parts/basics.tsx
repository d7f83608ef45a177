/** Components that several pages use. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { messageOf } from '../api';
import { words } from '../format';

/** The status of an order, a delivery or an endpoint, as a word and a colour. */
export function Status({ of }: { of: string }) {
  return <span class={`status status-${of.toLowerCase()}`}>{words(of)}</span>;
}

export function Failure({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <p class="failure" role="alert">
      {text}
    </p>
  );
}

export function Loading() {
  return (
    <p class="quiet" role="status">
      Loading …
    </p>
  );
}

/** A control with a label and an optional hint. `children` receives their ids. */
export function Field({
  label,
  hint,
  children,
}: {
  label: string;
  hint?: string | undefined;
  children: (ids: { id: string; 'aria-describedby'?: string }) => ComponentChildren;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, ...(hint !== undefined && { 'aria-describedby': `${id}-hint` }) })}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** A button that runs an action once at a time and shows the error of the action. */
export function Action({
  children,
  run,
  kind = 'plain',
}: {
  children: ComponentChildren;
  run: () => Promise<unknown>;
  kind?: 'plain' | 'primary' | 'danger';
}) {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const start = () => {
    if (isBusy) return;
    setIsBusy(true);
    setFailure(undefined);
    run()
      .catch((error: unknown) => setFailure(messageOf(error)))
      .finally(() => setIsBusy(false));
  };
  return (
    <>
      <button type="button" class={kind} aria-busy={isBusy} onClick={start}>
        {children}
      </button>
      <Failure text={failure} />
    </>
  );
}

/** A modal dialog. The browser keeps the focus inside and closes it with Escape; closing restores the focus. */
export function Dialog({
  title,
  close,
  children,
}: {
  title: string;
  close: () => void;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={heading} onClose={close}>
      <header>
        <h2 id={heading}>{title}</h2>
        <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      {children}
    </dialog>
  );
}

/** A table with a caption. It scrolls horizontally in a narrow window. */
export function Table({
  caption,
  columns,
  children,
  isCaptionHidden = false,
}: {
  caption: string;
  columns: readonly string[];
  children: ComponentChildren;
  isCaptionHidden?: boolean;
}) {
  return (
    <div class="scroll" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption class={isCaptionHidden ? 'unseen' : ''}>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** A text with a button that copies it. */
export function Copyable({ label, text }: { label: string; text: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = () => void navigator.clipboard?.writeText(text).then(() => setIsCopied(true));
  return (
    <span class="copyable">
      <code>{text}</code>
      <button type="button" class="quiet" aria-label={`Copy ${label}`} onClick={copy}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </span>
  );
}

/** A list of names and values. */
export function Facts({ of }: { of: readonly (readonly [string, ComponentChildren])[] }) {
  const known = of.filter(([, value]) => value !== undefined && value !== null && value !== '');
  return (
    <dl class="facts">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Links to pages, one of which is current. */
export function Tabs({
  label,
  tabs,
}: {
  label: string;
  tabs: readonly { name: string; href: string; isCurrent: boolean }[];
}) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ name, href, isCurrent }) => (
        <a key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}

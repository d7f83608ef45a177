import { mdiClose, mdiFilterVariant } from '@mdi/js';
import type { ComponentChildren } from 'preact';
import { Icon } from './icon';

/** A filter that applies. */
export interface Chip {
  label: string;
  text: string;
  remove: () => void;
}

/** The filters of a list: those that apply as chips, and a button that opens the form that sets them. */
export function FilterPanel({
  title,
  chips,
  isOpen = false,
  children,
}: {
  title: string;
  chips: readonly Chip[];
  /** Whether a person must see the form. */
  isOpen?: boolean;
  children: ComponentChildren;
}) {
  return (
    <>
      {chips.length > 0 && (
        <ul class="chips" aria-label="Filters">
          {chips.map(({ label, text, remove }) => (
            <li key={label}>
              <button type="button" class="chip" onClick={remove}>
                <span class="unseen">Remove the filter </span>
                {label}: <bdi>{text}</bdi>
                <Icon of={mdiClose} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <details class="filter" open={isOpen}>
        <summary class="button">
          <Icon of={mdiFilterVariant} />
          {chips.length === 0 ? title : `${title} (${chips.length})`}
        </summary>
        <div class="card">{children}</div>
      </details>
    </>
  );
}

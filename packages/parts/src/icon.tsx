import { h } from 'preact';
import type { IconNode } from 'lucide';

/** An icon of Lucide beside a text, which says the same: a screen reader skips the icon. */
export function Icon({ of }: { of: IconNode }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      {of.map(([tag, attributes]) => h(tag, attributes))}
    </svg>
  );
}

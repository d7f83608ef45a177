/** A section that opens, where a page would be many screens long. */
import { mdiChevronRight } from '@mdi/js';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from './icon';

interface FoldProps {
  title: string;
  /** Whether it is open until a person closes it. */
  isOpen?: boolean;
  /** Made once it is open, so that a closed section reads nothing. */
  children: ComponentChildren;
}

export function Fold({ title, isOpen = false, children }: FoldProps) {
  const [isShown, setIsShown] = useState(isOpen);
  return (
    <details class="fold" open={isOpen} onToggle={({ currentTarget: { open } }) => setIsShown(open)}>
      <summary>
        <Icon of={mdiChevronRight} />
        <h2>{title}</h2>
      </summary>
      {(isShown || isOpen) && children}
    </details>
  );
}

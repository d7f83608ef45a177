import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface PopupProps {
  /** What the button shows. */
  button: ComponentChildren;
  /** What the button says, if it shows no text. */
  label?: string;
  class?: string;
  buttonClass?: string;
  children: ComponentChildren;
}

/** Pixels between the button, the panel and the edge of the window. */
const GAP = 4;

/**
 * A button that opens a panel below it, above all else. Escape, a click elsewhere and the choice of a link close the panel. The arrows move
 * between what it offers.
 */
export function Popup({ button, label, class: name = '', buttonClass = '', children }: PopupProps) {
  const place = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const id = useId();
  const close = () => panel.current?.hidePopover();
  /** Right below the button, or above it where there is no room. */
  const settle = () => {
    const around = place.current?.getBoundingClientRect();
    const own = panel.current?.getBoundingClientRect();
    if (!around || !own || !panel.current) return;
    const left = Math.max(GAP, Math.min(around.right - own.width, innerWidth - own.width - GAP));
    const below = around.bottom + GAP;
    const top = below + own.height > innerHeight ? Math.max(GAP, around.top - own.height - GAP) : below;
    panel.current.style.left = `${left}px`;
    panel.current.style.top = `${top}px`;
  };
  useEffect(() => {
    const scrolled = () => {
      if (panel.current?.matches(':popover-open')) settle();
    };
    document.addEventListener('scroll', scrolled, { capture: true, passive: true });
    // A dialog that the panel opened closes it, too.
    panel.current?.addEventListener('close', close, { capture: true });
    return () => document.removeEventListener('scroll', scrolled, { capture: true });
  }, []);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || !panel.current?.matches(':popover-open')) return;
    if (document.querySelector('dialog[open]')) return;
    event.preventDefault();
    const stops = [...panel.current.querySelectorAll<HTMLElement>('a, button, input')];
    const here = stops.findIndex((stop) => stop === document.activeElement);
    stops[(here + step + stops.length) % stops.length]?.focus();
  };
  const chosen = ({ target }: Event) => {
    if (target instanceof Element && target.closest('a')) close();
  };
  return (
    <div ref={place} class={`popup ${name}`} onKeyDown={move}>
      <button type="button" class={buttonClass} popovertarget={id} aria-label={label}>
        {button}
      </button>
      <div ref={panel} id={id} popover="auto" class="panel" onToggle={settle} onClick={chosen}>
        {children}
      </div>
    </div>
  );
}

import { useEffect, useRef } from 'preact/hooks';
import { useIsNarrow } from './narrow';

/** The rows that a list shows at first, and that it adds: fewer in a narrow window. */
export function usePageSize(): number {
  return useIsNarrow() ? 12 : 50;
}

/** The button at the end of a list. Of a list that is endless, it presses itself once it comes into sight. */
export function MoreRows({ isEndless, show }: { isEndless: boolean; show: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  const latest = useRef(show);
  latest.current = show;
  useEffect(() => {
    if (!isEndless || !button.current) return undefined;
    const seen = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) latest.current();
    });
    seen.observe(button.current);
    return () => seen.disconnect();
  }, [isEndless]);
  return (
    <button ref={button} type="button" class="more-rows" onClick={show}>
      Show more
    </button>
  );
}

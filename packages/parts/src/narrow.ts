import { useEffect, useState } from 'preact/hooks';

/** The width from which the pages have rows instead of columns: see style.css. */
const narrow = matchMedia('(max-width: 40rem)');

/** Whether the window is as narrow as that of a phone. */
export function useIsNarrow(): boolean {
  const [isNarrow, setIsNarrow] = useState(narrow.matches);
  useEffect(() => {
    const look = () => setIsNarrow(narrow.matches);
    narrow.addEventListener('change', look);
    return () => narrow.removeEventListener('change', look);
  }, []);
  return isNarrow;
}

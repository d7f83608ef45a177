import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** The least columns of a table: what names the row, and one value. */
const LEAST = 2;

interface Fit {
  /** The columns and the width for which it was found. */
  key: string;
  width?: number;
  count: number;
}

/** How many of the columns a table shows without scrolling to the side. `box` surrounds the table. `key` names the columns. */
export function useFit(key: string, columns: number) {
  const box = useRef<HTMLDivElement>(null);
  const [fit, setFit] = useState<Fit>({ key, count: columns });
  const isCurrent = fit.key === key;
  const count = isCurrent ? fit.count : columns;
  // Before the browser draws, one column less each time.
  useLayoutEffect(() => {
    const { scrollWidth = 0, clientWidth: width = 0 } = box.current?.querySelector('.scroll') ?? {};
    if (width === 0) return;
    if (isCurrent && fit.width !== undefined && fit.width !== width) setFit({ key, count: columns });
    else if (scrollWidth > width && count > LEAST) setFit({ key, width, count: count - 1 });
  });
  return { box, count };
}

/** Asks the service what prevents the actions of a page, before the page offers them: all of them in one call. */
import { useEffect, useState } from 'preact/hooks';
import { obstacles, type AskedAction } from '../call';

interface Asked {
  action: AskedAction;
  answer: (isOffered: boolean) => void;
}

let asked: Asked[] = [];

/** Whether the action can be done. Without an answer, it is offered: it checks itself once more. */
function isPossible(action: AskedAction): Promise<boolean> {
  return new Promise((answer) => {
    if (asked.length === 0) queueMicrotask(() => void askAll());
    asked.push({ action, answer });
  });
}

async function askAll(): Promise<void> {
  const all = asked;
  asked = [];
  const found = await obstacles(all.map(({ action }) => action)).catch(() => []);
  all.forEach(({ answer }, index) => answer((found[index] ?? null) === null));
}

/** Whether the page offers the action; false until the service has answered. `isKnown`: the service offers it already. */
export function useOffer(action: AskedAction, isKnown: boolean): boolean {
  const [isOffered, setIsOffered] = useState(isKnown);
  const key = JSON.stringify(action);
  useEffect(() => {
    let isCurrent = true;
    if (!isKnown) void isPossible(action).then((answer) => isCurrent && setIsOffered(answer));
    return () => {
      isCurrent = false;
    };
  }, [key, isKnown]);
  return isKnown || isOffered;
}

import { useEffect, useRef } from 'preact/hooks';
import { readPerson } from '../office';

/** Leads to the page where the person gives the second factor again. When the person comes back, the action goes on. */
export function SecondFactor({ url, resume }: { url: string; resume: () => void }) {
  const latest = useRef(resume);
  latest.current = resume;
  useEffect(() => {
    // The way back causes two events, and the person may close the dialog before the first answer.
    let isOver = false;
    const goOn = () => {
      if (isOver) return;
      isOver = true;
      latest.current();
    };
    const look = () => {
      if (document.hidden) return;
      void readPerson().then(
        ({ needsSecondFactor }) => needsSecondFactor || goOn(),
        () => undefined,
      );
    };
    addEventListener('focus', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      isOver = true;
      removeEventListener('focus', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  return (
    <p class="notice" role="alert">
      This needs your second factor again, which is older than 10 minutes.{' '}
      <a href={url} target="_blank" rel="noopener">
        Give it again in a new window
      </a>
      , then come back: the action goes on.
    </p>
  );
}

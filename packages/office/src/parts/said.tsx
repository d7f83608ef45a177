/** The short message about what a person has just done, on the page that it belongs to. */
import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { Action } from '../../../parts/src/basics';
import { messageOf } from '../../../parts/src/rejection';

interface Message {
  kind: 'done' | 'busy' | 'failed';
  text: string;
  /** Takes back what was done. Returns what to say then. */
  undo?: (() => Promise<string>) | undefined;
}

interface Said {
  /** Says what was done. */
  say: (text: string, undo?: () => Promise<string>) => void;
  /** Says that the work goes on, and at its end the text that it returns, or why it failed. Ends never with an error. */
  follow: (busy: string, work: Promise<string>) => Promise<void>;
  /** Whether work goes on, so that the page shows each step of it. */
  isBusy: boolean;
}

const SaidContext = createContext<Said | undefined>(undefined);

export function useSaid(): Said {
  const said = useContext(SaidContext);
  if (!said) throw new Error('The component is outside of a page.');
  return said;
}

/** A page with its message, which stays until the next one, or until another page. `page`: names the page. */
export function SaidOnPage({ page, children }: { page: string; children: ComponentChildren }) {
  const [message, setMessage] = useState<Message>();
  useEffect(() => setMessage(undefined), [page]);
  const isBusy = message?.kind === 'busy';
  const said = useMemo<Said>(() => {
    const say: Said['say'] = (text, undo) => setMessage({ kind: 'done', text, undo });
    return {
      isBusy,
      say,
      follow: async (busy, work) => {
        setMessage({ kind: 'busy', text: busy });
        await work.then(say, (error: unknown) => setMessage({ kind: 'failed', text: messageOf(error) }));
      },
    };
  }, [isBusy]);
  return (
    <SaidContext.Provider value={said}>
      {children}
      <div class={`said ${message?.kind ?? 'silent'}`} role="status" aria-live="polite">
        {message && <Shown message={message} say={said.say} close={() => setMessage(undefined)} />}
      </div>
    </SaidContext.Provider>
  );
}

function Shown({
  message: { kind, text, undo },
  say,
  close,
}: {
  message: Message;
  say: Said['say'];
  close: () => void;
}) {
  return (
    <>
      <p>{text}</p>
      {undo && (
        <Action run={() => undo().then((undone) => say(undone))} kind="plain">
          Undo
        </Action>
      )}
      {kind !== 'busy' && (
        <button type="button" class="quiet" aria-label="Close the message" onClick={close}>
          Close
        </button>
      )}
    </>
  );
}

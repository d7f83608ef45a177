/** What leads a new account to its first real order: a list that ticks what is done. docs/clients/going-live.md. */
import { mdiCheckCircle, mdiCircleOutline } from '@mdi/js';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Progress } from '../../../parts/src/basics';
import { Icon } from '../../../parts/src/icon';
import { useLoaded } from '../../../parts/src/loading';
import { send } from '../api';
import { hrefOf } from '../route';
import type { DoneSteps, Session } from '../types';

interface Step {
  title: string;
  about: ComponentChildren;
  /** What the service knows. A step without one is ticked by hand. */
  done?: keyof DoneSteps;
  href: string;
  link: string;
  /** Whether production has no such step. */
  isSandbox?: true;
}

const guide = (section: string) => `/docs/going-live#${section}`;

const start: readonly Step[] = [
  {
    title: 'A key for your program',
    about: 'Give each program a key of its own, with only the scopes that it needs.',
    done: 'has_key',
    href: hrefOf('account/access'),
    link: 'Create a key',
  },
  {
    title: 'The first order',
    about: 'Place one here, to see what your program will get.',
    done: 'has_order',
    href: hrefOf('new'),
    link: 'Place an order',
  },
  {
    title: 'The first order of your program',
    about: 'With a reference of your own, so that a repeated request never orders twice.',
    done: 'has_program_order',
    href: '/docs/getting-started',
    link: 'Getting started',
  },
  {
    title: 'A webhook',
    about: 'We send each order that ends to an endpoint that has accepted our test.',
    done: 'has_endpoint',
    href: hrefOf('webhooks'),
    link: 'Add an endpoint',
  },
];

const goingLive: readonly Step[] = [
  {
    title: 'Your endpoint receives refunds',
    about: 'Refunds after delivery go only to endpoints that list them.',
    done: 'has_refund_events',
    href: hrefOf('webhooks'),
    link: 'Webhooks',
  },
  {
    title: 'Failures are rehearsed',
    about: 'Each Sandbox-Fault leaves one order. This is ticked for a day after a rehearsal.',
    done: 'has_rehearsal',
    href: guide('rehearse-the-failures'),
    link: 'How to rehearse',
    isSandbox: true,
  },
  {
    title: 'Alerts of low balances',
    about: 'Each wallet has a sum below which we tell you.',
    done: 'has_thresholds',
    href: hrefOf(''),
    link: 'Wallets',
  },
  {
    title: 'Orders only from your networks',
    about: 'A stolen key then orders nothing.',
    done: 'has_networks',
    href: hrefOf('account/access'),
    link: 'Allowed networks',
  },
  {
    title: 'Retries are safe',
    about:
      'After a timeout your program looks the order up, or repeats it with the same reference and key. After 429 and 503 it waits for Retry-After.',
    href: guide('place-orders-safely'),
    link: 'Place orders safely',
  },
  {
    title: 'Every state is handled',
    about: 'Pending, partially delivered, failed and cancelled; and unknown fields and events are ignored.',
    href: '/docs/versioning',
    link: 'Versioning',
  },
  {
    title: 'Signatures are verified',
    about: 'And each event is processed once, though it may arrive twice.',
    href: '/docs/webhooks#verify',
    link: 'Verify an event',
  },
  {
    title: 'The books match',
    about: 'Yesterday’s two statements match your own records.',
    href: '/docs/reconciliation',
    link: 'Reconciliation',
  },
];

/** What a person keeps in this browser: the ticks of steps that the service does not know, and that the list is put away. */
interface Kept {
  ticked: readonly string[];
  isAway: boolean;
}

function useSteps({ client_id: id, mode }: Session, isOfAway: boolean) {
  const name = `first-steps ${id}`;
  const [kept, setKept] = useState<Kept>(() => {
    const stored = localStorage.getItem(name);
    return stored === null ? { ticked: [], isAway: false } : (JSON.parse(stored) as Kept);
  });
  const keep = (part: Partial<Kept>) => {
    const changed = { ...kept, ...part };
    localStorage.setItem(name, JSON.stringify(changed));
    setKept(changed);
  };
  const known = useLoaded(
    async () => (isOfAway || !kept.isAway ? send<DoneSteps>('/api/first-steps') : undefined),
    name,
  );
  const isDone = ({ title, done }: Step) =>
    done === undefined ? kept.ticked.includes(title) : known.data?.[done] === true;
  const ofMode = (steps: readonly Step[]) => steps.filter(({ isSandbox }) => !isSandbox || mode === 'sandbox');
  return { kept, keep, known, isDone, groups: [ofMode(start), ofMode(goingLive)] as const };
}

/** The next step, on the overview, until all are done or the person puts it away. */
export function NextStep({ session }: { session: Session }) {
  const { kept, keep, known, isDone, groups } = useSteps(session, false);
  const steps = groups.flat();
  const next = steps.find((step) => !isDone(step));
  if (kept.isAway || !known.data || !next) return null;
  return (
    <section class="card next-step" aria-labelledby="next-step">
      <p class="quiet">
        First steps: {steps.filter(isDone).length} of {steps.length} done
      </p>
      <h2 id="next-step">{next.title}</h2>
      <p>{next.about}</p>
      <div class="buttons">
        <a class="button primary" href={next.href}>
          {next.link}
        </a>
        <a class="button" href={hrefOf('first-steps')}>
          All steps
        </a>
        <button type="button" class="quiet" onClick={() => keep({ isAway: true })}>
          Put away
        </button>
      </div>
    </section>
  );
}

export function FirstStepsPage({ session }: { session: Session }) {
  const { kept, keep, known, isDone, groups } = useSteps(session, true);
  const [first, last] = groups;
  const toggle = (title: string) =>
    keep({
      ticked: kept.ticked.includes(title) ? kept.ticked.filter((each) => each !== title) : [...kept.ticked, title],
    });
  const shown = { isDone, toggle };
  return (
    <>
      <Progress of={known} />
      {known.data && (
        <>
          <Steps name="Start" steps={first} {...shown} />
          <Steps name="Going live" steps={last} {...shown} />
          <p>
            {kept.isAway ? 'The overview does not show the next step. ' : 'The overview shows the next step. '}
            <button type="button" class="quiet" onClick={() => keep({ isAway: !kept.isAway })}>
              {kept.isAway ? 'Show it there' : 'Put it away'}
            </button>
          </p>
        </>
      )}
    </>
  );
}

interface StepsProps {
  name: string;
  steps: readonly Step[];
  isDone: (step: Step) => boolean;
  toggle: (title: string) => void;
}

function Steps({ name, steps, isDone, toggle }: StepsProps) {
  return (
    <section aria-label={name}>
      <h2>
        {name}: {steps.filter(isDone).length} of {steps.length}
      </h2>
      <ol class="steps card">
        {steps.map((step) => (
          <li key={step.title} class={isDone(step) ? 'done' : ''}>
            <Icon of={isDone(step) ? mdiCheckCircle : mdiCircleOutline} />
            <div>
              <strong>{step.title}</strong>
              <span class="unseen">{isDone(step) ? ' (done)' : ' (to do)'}</span>
              <p>{step.about}</p>
            </div>
            <span class="buttons">
              <a href={step.href}>{step.link}</a>
              {step.done === undefined && (
                <label class="check">
                  <input type="checkbox" checked={isDone(step)} onChange={() => toggle(step.title)} /> Done
                </label>
              )}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

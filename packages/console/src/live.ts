/** What happens to the account, as the one stream tells it while the page is to be seen. */
import { createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { send } from './api';
import type { LiveOrder, LiveState, Session } from './types';

/** Of each list so many are kept. */
const MOST_KEPT = 200;
const ASK_AGAIN_MS = 10_000;
/** Where more happens than is told, lists are read again so seldom. */
const READ_AGAIN_MS = 10_000;

export interface Live extends LiveState {
  isConnected: boolean;
  /** When something was left untold: what was read before then is to be read again. */
  cutAt: number;
  /** Orders as they were told, each by its id, the latest state of it. */
  orderById: ReadonlyMap<number, LiveOrder>;
}

export const nothingYet: Live = {
  wallets: [],
  usage: [],
  orders: [],
  events: [],
  attempts: [],
  isConnected: false,
  cutAt: 0,
  orderById: new Map(),
};

const LiveContext = createContext<Live>(nothingYet);
export const LiveProvider = LiveContext.Provider;

/** What is known of the account at this moment. */
export function useLive(): Live {
  return useContext(LiveContext);
}

/** Follows the account as long as the component is there and its page is to be seen. */
export function useStream(): Live {
  const [live, setLive] = useState(nothingYet);
  const isVisible = useVisibility();
  useEffect(() => {
    if (!isVisible) return undefined;
    let source: EventSource | undefined;
    let again = 0;
    const open = () => {
      source = new EventSource('/console/stream');
      source.addEventListener('state', ({ data }: MessageEvent<string>) =>
        setLive(withNews({ ...nothingYet, isConnected: true }, JSON.parse(data) as LiveState)),
      );
      source.addEventListener('news', ({ data }: MessageEvent<string>) =>
        setLive((before) => withNews(before, JSON.parse(data) as Partial<LiveState>)),
      );
      source.addEventListener('error', () => {
        setLive((before) => ({ ...before, isConnected: false }));
        // The browser asks again by itself where the connection broke, and not where it was refused.
        if (source?.readyState !== EventSource.CLOSED) return;
        again = window.setTimeout(() => void tryAgain(), ASK_AGAIN_MS);
      });
    };
    const tryAgain = () =>
      send('/api/v1/wallets').then(open, () => (again = window.setTimeout(open, ASK_AGAIN_MS)));
    open();
    return () => {
      window.clearTimeout(again);
      source?.close();
    };
  }, [isVisible]);
  return live;
}

function withNews(before: Live, news: Partial<LiveState>): Live {
  const isCut = news.is_cut === true && Date.now() - before.cutAt > READ_AGAIN_MS;
  const orders = news.orders ? [...before.orders, ...news.orders].slice(-MOST_KEPT) : before.orders;
  return {
    isConnected: true,
    cutAt: isCut ? Date.now() : before.cutAt,
    wallets: news.wallets ?? before.wallets,
    usage: news.usage ?? before.usage,
    orders,
    orderById: news.orders ? new Map(orders.map((order) => [order.id, order])) : before.orderById,
    events: [...before.events, ...(news.events ?? [])].slice(-MOST_KEPT),
    attempts: [...before.attempts, ...(news.attempts ?? [])].slice(-MOST_KEPT),
  };
}

function useVisibility(): boolean {
  const [isVisible, setIsVisible] = useState(!document.hidden);
  useEffect(() => {
    const look = () => setIsVisible(!document.hidden);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return isVisible;
}

/** Has the session renewed at half its time, as long as the page is open. */
export function useRenewal(session: Session, renewed: (session: Session) => void): void {
  const latest = useRef(renewed);
  latest.current = renewed;
  useEffect(() => {
    const inMs = Math.max(5_000, (Date.parse(session.expires_at) - Date.now()) / 2);
    const renew = () =>
      void send<Session>('/session', { method: 'PUT' }).then(latest.current, () => undefined);
    const timer = window.setTimeout(renew, inMs);
    return () => window.clearTimeout(timer);
  }, [session.expires_at]);
}

/** The live state of the account, from one stream while the page is visible. docs/developers/console.md#the-stream. */
import { createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { send } from './api';
import type { LiveOrder, LiveState, Session } from './types';

/** The maximum length of each list. */
const MAX_LENGTH = 200;
const RECONNECT_MS = 10_000;
/** The shortest time between two reads of a list when the stream leaves out changes. */
const REREAD_MS = 10_000;

export interface Live extends LiveState {
  isConnected: boolean;
  /** When the stream last left out changes. Older lists must be read again. */
  cutAt: number;
  /** The latest state of each order that the stream reported, by id. */
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

/** Returns the live state of the account. */
export function useLive(): Live {
  return useContext(LiveContext);
}

/** The wallets with the balances that the stream reported since they were read. */
export function withBalances<T extends { id: number; balance: number; available: number }>(
  wallets: readonly T[],
  live: Live,
): T[] {
  return wallets.map((wallet) => {
    const { balance, available } = live.wallets.find(({ id }) => id === wallet.id) ?? wallet;
    return { ...wallet, balance, available };
  });
}

/** Opens the stream while the component is mounted and the page is visible. */
export function useStream(): Live {
  const [live, setLive] = useState(nothingYet);
  const isVisible = useVisibility();
  useEffect(() => {
    if (!isVisible) return undefined;
    let source: EventSource | undefined;
    let wasConnected = false;
    let again = 0;
    const open = () => {
      source = new EventSource('/console/stream');
      source.addEventListener('state', ({ data }: MessageEvent<string>) => {
        // The stream does not repeat the changes of an interruption: older lists must be read again.
        const cutAt = wasConnected ? Date.now() : 0;
        wasConnected = true;
        setLive(withDelta({ ...nothingYet, isConnected: true, cutAt }, JSON.parse(data) as LiveState));
      });
      source.addEventListener('news', ({ data }: MessageEvent<string>) =>
        setLive((before) => withDelta(before, JSON.parse(data) as Partial<LiveState>)),
      );
      source.addEventListener('error', () => {
        setLive((before) => ({ ...before, isConnected: false }));
        // The browser reconnects after a broken connection, but not after a rejected request.
        if (source?.readyState !== EventSource.CLOSED) return;
        again = window.setTimeout(() => void reconnect(), RECONNECT_MS);
      });
    };
    const reconnect = () => send('/api/v1/wallets').then(open, () => (again = window.setTimeout(open, RECONNECT_MS)));
    open();
    return () => {
      window.clearTimeout(again);
      source?.close();
    };
  }, [isVisible]);
  return live;
}

function withDelta(before: Live, delta: Partial<LiveState>): Live {
  const isCut = delta.is_cut === true && Date.now() - before.cutAt > REREAD_MS;
  const orders = delta.orders ? [...before.orders, ...delta.orders].slice(-MAX_LENGTH) : before.orders;
  return {
    isConnected: true,
    cutAt: isCut ? Date.now() : before.cutAt,
    wallets: delta.wallets ?? before.wallets,
    usage: delta.usage ?? before.usage,
    orders,
    orderById: delta.orders ? new Map(orders.map((order) => [order.id, order])) : before.orderById,
    events: [...before.events, ...(delta.events ?? [])].slice(-MAX_LENGTH),
    attempts: [...before.attempts, ...(delta.attempts ?? [])].slice(-MAX_LENGTH),
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

/** Renews the session of a key at half its lifetime while the page is open. A member's ends by itself. */
export function useRenewal(session: Session, renewed: (session: Session) => void): void {
  const latest = useRef(renewed);
  latest.current = renewed;
  const isMember = session.member !== null;
  useEffect(() => {
    if (isMember) return undefined;
    const inMs = Math.max(5_000, (Date.parse(session.expires_at) - Date.now()) / 2);
    const renew = () => void send<Session>('/session', { method: 'PUT' }).then(latest.current, () => undefined);
    const timer = window.setTimeout(renew, inMs);
    return () => window.clearTimeout(timer);
  }, [session.expires_at, isMember]);
}

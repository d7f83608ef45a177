/** An account as it is at this moment, for whoever looks on. */
import type { Family } from '../../domain/orders/families';
import type { OrderStatus } from '../../domain/orders/orders';
import { firstRow, type Database } from '../database/database';
import { readSql } from '../database/statement-text';

/** Times are RFC 3339, amounts decimal strings. */
export interface LiveAccount {
  /** Those of the sessions asked about that are alive. */
  families: string[];
  wallets: LiveWallet[];
  events: LiveEvent[];
  attempts: LiveAttempt[];
  /** The orders of these events. */
  orders: LiveOrder[];
}

export interface LiveWallet {
  id: number;
  currency: string;
  balance: string;
}

export interface LiveEvent {
  sequence: number;
  id: string;
  type: string;
  orderId: number | null;
  createdAt: string;
}

export interface LiveAttempt {
  id: number;
  eventId: string;
  endpointId: number;
  attemptedAt: string;
  durationMs: number;
  responseStatus: number | null;
  error: string | null;
}

export interface LiveOrder {
  id: number;
  family: Family;
  productName: string;
  clientReference: string | null;
  status: OrderStatus;
  quantity: number;
  deliveredQuantity: number;
  listTotal: string;
  productCurrency: string;
  price: string;
  walletCurrency: string;
  placedAt: string;
}

/** Of events and attempts so many are read at once, the youngest. */
export const MOST_NEWS = 100;

export interface LiveQuestion {
  clientId: number;
  /** Sessions by their families. */
  families: string[];
  /** Events after this sequence number, and attempts after this id. */
  eventsAfter: number;
  attemptsAfter: number;
}

const statement = readSql('clients/live-account.sql');

/** Balances, and what came since. */
export async function readLiveAccount(database: Database, question: LiveQuestion): Promise<LiveAccount> {
  return (await firstRow<LiveAccount>(database, statement, { ...question })) as LiveAccount;
}

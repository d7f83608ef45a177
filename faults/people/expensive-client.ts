/** A client within its rate limits whose requests cost more than they count, or who does not read its responses. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Load } from '../plan/disturbances';
import { collections, type PlannedOrder } from '../plan/orders';
import { hasEnded } from '../promises/facts';
import type { ApiUser } from './client';

/** About a megabyte: as long as a body may be. */
const WIDE_KEYS = 90_000;
const WIDE_AT_ONCE = 16;
const READS_AT_ONCE = 8;
const SILENT_SOCKETS = 40;
const PIPELINED = 50;
/** A connection or request that the API ends is made anew after this. */
const AGAIN_AFTER_MS = 50;

const wideBody = {
  denomination: 10,
  quantity: 1,
  ...Object.fromEntries(Array.from({ length: WIDE_KEYS }, (_, index) => [`k${index}`, 1])),
};

export class ExpensiveClient {
  private constructor(
    readonly user: ApiUser,
    private readonly apiUrl: string,
    /** The order whose reads are large. */
    private readonly path: string,
  ) {}

  /** Places the order that is read, with as many units as it says. Throws if it is not placed. */
  static async open(user: ApiUser, apiUrl: string, units: number): Promise<ExpensiveClient> {
    await user.order(largeOrder(`${user.name}-large`, units));
    const [orderId] = user.orderIds;
    if (orderId === undefined) throw new Error(`${user.name} could not place its large order`);
    return new ExpensiveClient(user, apiUrl, `${collections.VOUCHER}/${orderId}`);
  }

  /** Waits until the large order has all its units. */
  async delivered(): Promise<void> {
    while (!hasEnded(await this.user.api.read<{ status: string }>(this.path))) await sleep(1_000);
  }

  /** Loads the API from now on. Returns what ends it. */
  begin(load: Load): () => Promise<void> {
    const ended = new AbortController();
    const loading = this.until(load, ended.signal);
    return () => {
      ended.abort();
      return loading;
    };
  }

  private async until(load: Load, ended: AbortSignal): Promise<void> {
    const authorization = `Bearer ${await this.user.api.accessToken()}`;
    switch (load) {
      case 'wide-bodies': {
        const headers = { authorization, 'content-type': 'application/json' };
        const init = { method: 'POST', headers, body: JSON.stringify(wideBody) };
        return this.repeat(WIDE_AT_ONCE, '/api/v1/products/1/charges', init, ended);
      }
      case 'large-reads':
        return this.repeat(READS_AT_ONCE, this.path, { headers: { authorization } }, ended);
      case 'unread-responses':
        return this.readNothing(authorization, ended);
    }
  }

  /** So many requests at a time, one after the other, each read to its end. */
  private async repeat(atOnce: number, path: string, init: RequestInit, ended: AbortSignal): Promise<void> {
    const inTurn = async (): Promise<void> => {
      while (!ended.aborted) {
        try {
          const response = await fetch(this.apiUrl + path, { ...init, signal: ended });
          await response.arrayBuffer();
          if (!response.ok) await sleep(AGAIN_AFTER_MS);
        } catch {
          await sleep(AGAIN_AFTER_MS);
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, inTurn));
  }

  /** Pipelines requests for the large order on many connections, and takes no byte of what comes. */
  private async readNothing(authorization: string, ended: AbortSignal): Promise<void> {
    const { hostname, port, host } = new URL(this.apiUrl);
    const request = `GET ${this.path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\n\r\n`;
    const open = (): Socket => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.pause();
      socket.write(request.repeat(PIPELINED));
      return socket;
    };
    const sockets = Array.from({ length: SILENT_SOCKETS }, open);
    while (!ended.aborted) {
      await sleep(AGAIN_AFTER_MS);
      sockets.forEach((socket, index) => {
        if (socket.destroyed) sockets[index] = open();
      });
    }
    for (const socket of sockets) socket.destroy();
  }
}

function largeOrder(reference: string, units: number): PlannedOrder {
  return {
    at: 0,
    client: 0,
    family: 'VOUCHER',
    scenario: 'voucher_bulk',
    changes: { quantity: units, denomination: 5 },
    reference,
    email: null,
    redeems: false,
    repeats: true,
    reads: [],
  };
}

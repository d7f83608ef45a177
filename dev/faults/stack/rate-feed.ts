/** The feed of rates, and the files that look like its own. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The currencies of the file, and their rate. */
export const fileCurrencies = ['CZK', 'HUF'] as const;
export const RATE = '15.6';

const PER_EURO = 25;
const DAY_MS = 86_400_000;

/** A file of the day, which gives the rate times the factor. */
export function rateFile(daysAgo: number, factor = 1): string {
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(Date.now() - daysAgo * DAY_MS);
  const second = (PER_EURO * Number(RATE) * factor).toFixed(6);
  return `Date,${fileCurrencies.join()}\n${day},${PER_EURO},${second}`;
}

export interface RateFeed {
  url: string;
  close(): void;
}

/** The feed, whose file of today always has the same values. */
export async function openRateFeed(): Promise<RateFeed> {
  const server = createServer((_request, response) => response.end(rateFile(0)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/rates`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

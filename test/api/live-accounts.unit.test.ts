/** The streams that a poll of the accounts ends. */
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { EventStream } from '../../src/api/console/event-stream';
import { LiveAccounts, type OpenPage } from '../../src/api/console/live-accounts';

type Needed = ConstructorParameters<typeof LiveAccounts>[0];
const reads: ((activeSessionIds: string[]) => void)[] = [];

jest.mock('../../src/data/clients/live-account', () => ({
  MAX_DELTA: 100,
  readLiveAccount: () =>
    new Promise((resolve) =>
      reads.push((activeSessionIds) =>
        resolve({ activeSessionIds, wallets: [], events: [], attempts: [], orders: [] }),
      ),
    ),
}));

const accounts = new LiveAccounts({
  rateLimiter: { usage: async () => [] },
  knownClients: { find: () => undefined },
  log: { warn: (what: unknown) => expect(what).toBeUndefined() },
  stopping: new AbortController().signal,
} as unknown as Needed);

/** Opens a page of the session. Returns its stream and the messages sent. */
function open(sessionId: string) {
  const sent: string[] = [];
  const response = Object.assign(new EventEmitter(), {
    writableEnded: false,
    writeHead: () => undefined,
    write: (text: string) => sent.push(text),
    end() {
      response.writableEnded = true;
      response.emit('close');
    },
  });
  const page: OpenPage = {
    session: { sessionId, clientId: 1, apiKeyId: 1, expiresAt: new Date(Date.now() + 60_000), member: null },
    client: { id: 1, rateLimits: {} },
  };
  const stream = new EventStream(response as unknown as ServerResponse);
  accounts.follow(page, stream);
  return { stream, sent };
}

const turn = () => new Promise(setImmediate);

test('When a page opens while the account is read, then its stream continues, unlike that of an ended session', async () => {
  const ended = open('ended');
  const young = open('young');
  reads[0]?.([]);
  await turn();
  expect([ended, young].map(({ stream }) => stream.ended.aborted)).toEqual([true, false]);
  expect(young.sent.join('')).toContain('event: state');
  young.stream.end();
});

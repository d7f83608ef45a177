/** Mail servers of a test file, and what they have received. */
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** The mails of the running test. */
export const received: Email[] = [];
const servers: SMTPServer[] = [];

/** Starts a mail server that accepts every mail by default. Returns its address. */
export async function mailServer(options: SMTPServerOptions = {}): Promise<string> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      buffer(stream)
        .then((content) => PostalMime.parse(content))
        .then((parsed) => received.push(parsed))
        .then(() => done(), done);
    },
    ...options,
  });
  server.on('error', () => undefined);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
}

beforeEach(() => received.splice(0));
afterAll(() => Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(resolve)))));

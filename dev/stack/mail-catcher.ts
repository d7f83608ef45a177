/** A mail server for local stacks: accepts every mail, delivers none, and lists them over HTTP. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { SMTPServer } from 'smtp-server';
import PostalMime, { type Email } from 'postal-mime';
import { readPorts } from './ports';

/** The number of mails that are kept. */
const KEPT = 5_000;

interface CaughtMail {
  to: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
}

const mails: CaughtMail[] = [];

function keep(mail: CaughtMail): void {
  mails.push(mail);
  if (mails.length > KEPT) mails.shift();
}

async function parse(source: AsyncIterable<Buffer>): Promise<CaughtMail> {
  const chunks: Buffer[] = [];
  for await (const chunk of source) chunks.push(chunk);
  const mail: Email = await PostalMime.parse(Buffer.concat(chunks));
  return {
    to: (mail.to ?? []).map(({ address }) => address).join(', '),
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key, value])),
  };
}

function respond(request: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  if (pathname === '/health') {
    response.writeHead(200).end();
  } else if (pathname !== '/messages') {
    response.writeHead(404).end();
  } else if (request.method === 'DELETE') {
    mails.length = 0;
    response.writeHead(204).end();
  } else {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(mails));
  }
}

const host = process.env['MAIL_CATCHER_HOST'] ?? '127.0.0.1';
const ports = readPorts(process.env);

const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, _session, done) {
    parse(stream)
      .then(keep)
      .then(() => done(), done);
  },
});
smtp.listen(ports.SMTP_PORT, host);

const mailbox = createServer(respond);
mailbox.listen(ports.MAILBOX_PORT, host);

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(0));

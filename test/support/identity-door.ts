/** A door of the sign-in in this process, with its people, mails and browsers. */
import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { Role } from '../../src/domain/operators/roles';
import { openIdentity, type Identity, type Person } from '../../src/identity/identity';
import type { IdentitySettings } from '../../src/identity/settings';
import { createMailer } from '../../src/notifications/mail/send';
import { openDatabase, rows, type Database } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { migrate } from '../../src/data/schema/migrate';
import { databaseRoles, roleNames } from '../../src/data/schema/roles';
import { ensureRoles, type RoleUrls } from '../../dev/sandbox/roles';
import { capturedLog } from './captured-log';
import { nameOf, scratchDatabase, type ScratchDatabase } from '../../dev/testbed/scratch-database';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { until } from '../../dev/testbed/waiting';

/** A new database with roles. `url` is that of the sign-in's role, `database` that of the owner. */
export interface DoorDatabase extends Pick<ScratchDatabase, 'database' | 'url'> {
  roles: RoleUrls;
}

/** Call it at the top of the file. Read `url` and `roles` in tests and hooks. */
export function doorDatabase(): DoorDatabase {
  const scratch = scratchDatabase();
  const none: RoleUrls = { service: '', operator: '', retention: '', operatorIdentity: '', memberIdentity: '' };
  const made: DoorDatabase = { database: scratch.database, url: '', roles: none };
  const password = () => randomBytes(18).toString('base64url');
  beforeAll(async () => {
    const passwords = Object.fromEntries(databaseRoles.map((role) => [role, password()])) as RoleUrls;
    made.roles = (await ensureRoles(scratch.url, passwords)) ?? none;
    made.url = made.roles.operatorIdentity;
    await migrate(scratch.url);
  });
  afterAll(async () => {
    // The database is already dropped, so the roles own nothing and have no rights.
    const server = openDatabase(loadStack().database_url, 1);
    for (const name of Object.values(roleNames(nameOf(scratch)))) await rows(server, `DROP ROLE ${name}`);
    await server.close();
  });
  return made;
}

export interface Door {
  origin: string;
  identity: Identity;
  secret: string;
  mails: { to: string; subject: string; text: string }[];
  /** The log of the door. */
  logged(): string;
  /** The last code that was mailed to the address. */
  codeFor(email: string): string;
  /** A browser with cookies of its own. Default: and with an address of its own. */
  browser(address?: string): Browser;
  /** Invites the person, by default as a viewer of the name before the `@`. */
  invite(email: string, role?: Role, name?: string): Promise<unknown>;
  /** Invites the person and signs in with the code from the mail. */
  signIn(email: string, role?: 'viewer' | 'finance' | 'admin'): Promise<Browser>;
  close(): Promise<void>;
}

export type DoorSettings = Partial<Omit<IdentitySettings, 'schema' | 'databaseUrl'>>;

/** Opens a door on the database. `GET /who` answers with the person, as the operators' process would see it. */
export async function openDoor(
  { url, database }: Pick<DoorDatabase, 'url' | 'database'>,
  settings: DoorSettings = {},
): Promise<Door> {
  const mails: Door['mails'] = [];
  const smtp = await mailSink(mails);
  const { log, written } = capturedLog();
  const app = express().set('trust proxy', 'loopback');
  const server = createServer(app);
  const origin = `http://127.0.0.1:${await portOf(server)}`;
  const secret = settings.secret ?? randomBytes(32).toString('base64url');
  const identity = await openIdentity(
    {
      audience: 'operators',
      mode: 'sandbox',
      origin,
      home: '/identity/',
      title: 'Goods',
      databaseUrl: url,
      schema: 'identity_operators',
      secret,
      cookiePrefix: 'operators',
      firstAdmin: undefined,
      restMinutes: 30,
      sessionHours: 12,
      requiresSecondFactor: false,
      provider: undefined,
      ...settings,
    },
    {
      mailer: createMailer({
        smtpUrl: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
        from: 'Goods <goods@goods.example>',
        requiresTls: false,
      }),
      log,
    },
  );
  app.use('/identity', identity.router);
  app.get('/who', async (request, response) => {
    response.json((await identity.personOf(request)) ?? null);
  });
  const door: Door = {
    origin,
    identity,
    secret,
    mails,
    logged: written,
    codeFor: (email) => codeIn(mails.findLast(({ to, subject }) => to === email && isCode(subject))?.text),
    browser: (address) => new Browser(origin, mails, address),
    invite: (email, role = 'viewer', name = personOf(email)) =>
      identity.people.invite({ email, name, role, invitedBy: 'Root', inviterId: null }),
    async signIn(email, role = 'viewer') {
      const people = await identity.people.list();
      if (!people.some((person) => person.email === email)) await door.invite(email, role);
      // More codes than a person gets in an hour.
      for (const table of ['mail_code_counts', 'network_mail_counts'])
        await rows(database, `DELETE FROM identity_operators.${table} WHERE email = $email`, { email });
      const browser = door.browser();
      await browser.signIn(email);
      return browser;
    },
    async close() {
      await new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await identity.close();
      await new Promise<void>((resolve) => smtp.close(() => resolve()));
    },
  };
  return door;
}

const isCode = (subject: string) => subject.startsWith('Your code');
const codeIn = (text = '') => /^\d{6}/.exec(text)?.[0] ?? '';
const personOf = (email: string) => email.split('@')[0] ?? email;

function portOf(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function mailSink(mails: Door['mails']): Promise<SMTPServer> {
  const sink = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo[0]?.address ?? '';
        void PostalMime.parse(Buffer.concat(chunks)).then(({ subject = '', text = '' }) => {
          mails.push({ to, subject, text });
          callback();
        });
      });
    },
  });
  return new Promise((resolve) => {
    sink.listen(0, '127.0.0.1', () => resolve(sink));
  });
}

let addresses = 0;

/** A browser: it keeps cookies, follows no redirect by itself, and sends the Origin of the page with a form. */
export class Browser {
  readonly cookies = new Map<string, string>();

  constructor(
    readonly origin: string,
    private readonly mails: Door['mails'],
    readonly address = `198.51.100.${(addresses += 1)}`,
  ) {}

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.send(path, { headers });
  }

  post(path: string, form: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
    return this.send(path, {
      method: 'POST',
      body: new URLSearchParams(form),
      headers: { origin: this.origin, 'sec-fetch-site': 'same-origin', ...headers },
    });
  }

  async send(path: string, init: RequestInit): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL(path, this.origin), {
      redirect: 'manual',
      ...init,
      headers: {
        'x-forwarded-for': this.address,
        'user-agent': 'Test browser',
        ...(cookie !== '' && { cookie }),
        ...(init.headers as Record<string, string>),
      },
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (/max-age=0/i.test(set)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  /** The page at the path, in one line. */
  async page(path: string): Promise<string> {
    return pageOf(await this.get(path));
  }

  /** Follows redirects of this origin from a path. Returns the last response and its path. */
  async follow(path: string): Promise<{ response: Response; path: string }> {
    const response = await this.get(path);
    const location = response.headers.get('location');
    if (location === null) return { response, path };
    return this.follow(new URL(location, this.origin).href.replace(this.origin, ''));
  }

  /** Asks for a code and returns it from the mail. */
  async askForCode(email: string): Promise<string> {
    const before = this.mailsTo(email).length;
    await this.post('/identity/sign-in', { email });
    const mail = await until('a code by mail', async () => this.mailsTo(email)[before]);
    return codeIn(mail.text);
  }

  mailsTo(email: string) {
    return this.mails.filter(({ to, subject }) => to === email && isCode(subject));
  }

  async signIn(email: string): Promise<Response> {
    const code = await this.askForCode(email);
    return this.post('/identity/sign-in/code', { email, code });
  }

  /** The person that the door sees; null for nobody. */
  async who(headers: Record<string, string> = {}): Promise<Person | null> {
    return (await (await this.get('/who', headers)).json()) as Person | null;
  }

  /** Sets up a second factor. Returns its secret and recovery codes. */
  async setUpSecondFactor(): Promise<{ secret: string; recoveryCodes: string[]; response: Response }> {
    const made = await (await this.post('/identity/second-factor/set-up', {})).text();
    const secret = /secret=([A-Z2-7]+)/.exec(made)?.[1] ?? '';
    const recoveryCodes = [...made.matchAll(/[A-Za-z0-9]{5}-[A-Za-z0-9]{5}(?=<br)/g)].map(([code]) => code);
    const response = await this.post('/identity/second-factor/confirm', { code: totp(secret) });
    return { secret, recoveryCodes, response };
  }
}

/** The page of a response, in one line. */
export async function pageOf(response: Response): Promise<string> {
  return (await response.text()).replace(/\s+/g, ' ');
}

/** The code that an authenticator shows (RFC 6238), now or some steps of 30 s later. */
export function totp(secret: string, steps = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const digest = createHmac('sha1', base32(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

function base32(text: string): Buffer {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** All texts of all tables of the door's schema, to find secrets in them. */
export async function storedTexts(database: Database): Promise<string> {
  const tables = await sql(database)<{ name: string }>`
    SELECT format('identity_operators.%I', table_name) AS name FROM information_schema.tables
      WHERE table_schema = 'identity_operators'`;
  const texts = await Promise.all(
    tables.map(({ name }) => rows<{ text: string }>(database, `SELECT each::text AS text FROM ${name} AS each`)),
  );
  return texts
    .flat()
    .map(({ text }) => text)
    .join('\n');
}

/** Members of clients who sign in to the console of the stack as browsers do. */
import type { Database } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { Browser } from './identity-door';
import { fromConsole, Followed } from './console';
import { loadStack } from '../../dev/testbed/loaded-stack';
import type { Answer, Json } from './stack';
import { until } from '../../dev/testbed/waiting';

interface CaughtMail {
  to: unknown;
  subject: string;
  text: string;
}

/** The code that was mailed last to the address, after some number of earlier ones. */
async function codeFor(email: string, earlier: number): Promise<string> {
  return until(`a code for ${email}`, async () => {
    const codes = await codesFor(email);
    return codes.length > earlier ? codes.at(-1) : undefined;
  });
}

async function codesFor(email: string): Promise<string[]> {
  const mails = (await (await fetch(`${loadStack().mailbox_url}/messages`)).json()) as CaughtMail[];
  return mails
    .filter(({ to, subject }) => JSON.stringify(to).includes(email) && subject.startsWith('Your code'))
    .map(({ text }) => /^\d{6}/.exec(text)?.[0] ?? '');
}

/** The browser of a member. */
export class MemberBrowser extends Browser {
  constructor() {
    super(loadStack().api_url, []);
  }

  /** Signs in with a code by mail. All tests call from one address, so its limits begin anew. */
  static async signedIn(database: Database, email: string, browser = new MemberBrowser()): Promise<MemberBrowser> {
    await sql(database)`DELETE FROM identity_members."rateLimit"`;
    const earlier = (await codesFor(email)).length;
    await browser.post('/identity/sign-in', { email });
    const code = await codeFor(email, earlier);
    const entered = await browser.post('/identity/sign-in/code', { email, code });
    if (entered.status !== 303) throw new Error(`The code of ${email} is rejected: ${entered.status}`);
    return browser;
  }

  /** Calls the console as its pages do. */
  async call<Body = Json>(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    const response = await this.send(path, {
      method,
      headers: { ...fromConsole, ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      body: (isJson && text !== '' ? JSON.parse(text) : undefined) as Body,
    };
  }

  /** Calls the API through the console. */
  api<Body = Json>(method: string, path: string, body?: object): Promise<Answer<Body>> {
    return this.call<Body>(method, `/console/api/v1${path}`, body);
  }

  session(): Promise<Answer<Json>> {
    return this.call('GET', '/console/session');
  }

  /** Opens the stream of a page. */
  async openStream(): Promise<Followed> {
    return new Followed(await this.send('/console/stream', { headers: fromConsole }));
  }
}

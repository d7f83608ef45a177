/** The admin of a sandbox, who signs in with a link or gets a token without one. Production has none. */
import type { IdentityPool } from '../data/identity/identity-pool';
import { ensureAdmin } from '../data/identity/people';
import { day } from '../domain/time';
import { asEntry, type Entry } from './entry';
import type { Library } from './library';
import { LOCAL_ADMIN, type IdentitySettings } from './settings';
import { signedToken } from './tokens';

/** A developer's stack runs for days. */
const TOKEN_DAYS = 30;

export class LocalAdmin {
  constructor(
    private readonly pool: IdentityPool,
    private readonly library: Library,
    private readonly settings: IdentitySettings,
  ) {}

  /** The address of a link that signs in once, within 15 minutes. */
  async signInLink(): Promise<string> {
    await ensureAdmin(this.pool, LOCAL_ADMIN);
    const entry: Entry = {};
    const { email } = LOCAL_ADMIN;
    await asEntry(entry, () => this.library.api.signInMagicLink({ body: { email }, headers: new Headers() }));
    return `${this.settings.origin}/identity/link?token=${entry.linkToken ?? ''}`;
  }

  /** A token for the ops CLI of this checkout: its `earlier` one if that is still valid, so that each start adds no session. */
  async token(earlier?: string): Promise<string> {
    const id = await ensureAdmin(this.pool, LOCAL_ADMIN);
    const { internalAdapter } = await this.library.$context;
    const expiresAt = new Date(Date.now() + TOKEN_DAYS * day);
    const valid = earlier === undefined ? undefined : await this.sessionOf(earlier);
    if (earlier !== undefined && valid?.userId === id) {
      await internalAdapter.updateSession(valid.token, { expiresAt });
      return earlier;
    }
    const session = await asEntry({ session: { kind: 'CLI', machine: 'this checkout', expiresAt } }, () =>
      internalAdapter.createSession(id),
    );
    return signedToken(this.settings.secret, session.token);
  }

  /** The session of a token; undefined if the token is of another database or secret, or has ended. */
  private async sessionOf(token: string) {
    const headers = new Headers({ authorization: `Bearer ${token}` });
    return (await this.library.api.getSession({ headers }))?.session;
  }
}

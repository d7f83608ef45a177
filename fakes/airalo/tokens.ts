/** The access tokens of `POST /v2/token`. */
import { createHmac, randomBytes } from 'node:crypto';
import { dayMs, minuteMs } from '../kit/times';

/** Airalo's text says 24 hours, its sample a year. Therefore a token states a year, but ends after 24 hours. */
const lifeMs = dayMs;
const statedSeconds = 31_622_400;
/** The shortest life with a small time scale. `POST /control/tokens/expire` ends tokens sooner. */
const minLifeMs = minuteMs;

/** Issues tokens that are signed with the client secret, so that a token stays valid after a restart of the fake. */
export class Tokens {
  private lastIssuedAt = 0;
  /** Tokens that were issued at this time or before have ended. */
  private endedUntil = 0;

  constructor(
    private readonly timeScale: number,
    private readonly secret: string,
  ) {}

  /** A new token. Former tokens stay valid: the documentation does not say that they end. */
  issue() {
    this.lastIssuedAt = Math.max(Date.now(), this.endedUntil + 1);
    const content = `${this.lastIssuedAt}.${randomBytes(16).toString('hex')}`;
    const token = `${content}.${this.signatureOf(content)}`;
    return { token_type: 'Bearer', expires_in: statedSeconds, access_token: token };
  }

  isValid(token: string): boolean {
    const [issuedAt = '', random = '', signature] = token.split('.');
    if (signature !== this.signatureOf(`${issuedAt}.${random}`)) return false;
    const endsAt = Number(issuedAt) + Math.max(minLifeMs, lifeMs * this.timeScale);
    return Number(issuedAt) > this.endedUntil && Date.now() < endsAt;
  }

  /** Ends every token. */
  clear(): void {
    this.endedUntil = Math.max(Date.now(), this.lastIssuedAt);
  }

  private signatureOf(content: string): string {
    return createHmac('sha256', this.secret).update(content).digest('hex');
  }
}

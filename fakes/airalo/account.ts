/** Our account with Airalo, in exact decimals. */
import { Decimal } from 'decimal.js';

/** The currency of our account, of every order and of the ledger. */
export const ACCOUNT_CURRENCY = 'USD';

const initial = new Decimal('100000.00');

/** The used parts of the credit, in per cent of its amount when it was last funded. */
export interface Use {
  readonly before: number;
  readonly after: number;
  readonly remaining: Decimal;
}

export class Account {
  private funded = initial;
  private left = initial;

  /** `onUse` is called after each purchase. In the sandbox, nothing is debited. */
  constructor(
    private readonly isSandbox: boolean,
    private readonly onUse: (use: Use) => void,
  ) {}

  get available(): Decimal {
    return this.left;
  }

  fund(amount: string): void {
    this.funded = new Decimal(amount);
    this.left = this.funded;
  }

  /** Takes the amount. Returns false without effect if less is available. */
  spend(amount: Decimal): boolean {
    if (this.isSandbox) return true;
    if (this.left.lt(amount)) return false;
    const before = this.usedPercent();
    this.left = this.left.minus(amount);
    this.onUse({ before, after: this.usedPercent(), remaining: this.left });
    return true;
  }

  /** Returns the amount of a purchase that ended without goods, or was refunded. */
  restore(amount: Decimal): void {
    if (!this.isSandbox) this.left = this.left.plus(amount);
  }

  clear(): void {
    this.funded = initial;
    this.left = initial;
  }

  private usedPercent(): number {
    if (this.funded.isZero()) return 100;
    return this.funded.minus(this.left).div(this.funded).times(100).toNumber();
  }
}

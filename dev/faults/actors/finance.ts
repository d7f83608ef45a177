/** The bank, the people of finance, and the clients' money besides orders. docs/operators/money-in.md, docs/operators/books.md. */
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MoneyAct } from '../plan/disturbance';
import { share } from '../random';
import type { ApiUser } from './client';
import type { Operators } from './operators';
import type { Outcome } from './ops-processes';

interface FundingRequest {
  id: number;
  amount: number;
  reference: string;
  bank_account: { iban: string };
}

/** A transfer on the account, as the bank states it. */
export interface Payment {
  iban: string;
  currency: string;
  amount: string;
  /** The reference that it holds. */
  reference: string;
  /** The bank's own number. */
  number: number;
}

/** Payments of one file. The files of an account overlap. */
const IN_A_FILE = 12;
/** The currency of the second wallet, by that of the first one. */
const others: Readonly<Record<string, string>> = { USD: 'EUR', EUR: 'USD' };

export class Finance {
  readonly payments: Payment[] = [];
  /** How often the close of the past month was said to be done. */
  closes = 0;
  private readonly otherWallets = new Map<string, number>();

  constructor(private readonly operators: Operators) {}

  /** Opens a second wallet for each client, and lets them convert. */
  async prepare(users: readonly ApiUser[]): Promise<void> {
    for (const { name, wallet } of users) {
      const currency = others[wallet.currency] ?? 'USD';
      const [opened] = await this.operators.rows<{ id: number }>('wallets', 'open', name, currency);
      if (!opened) throw new Error(`${name} has no second wallet`);
      this.otherWallets.set(name, opened.id);
      const { ok, text } = await this.operators.run('clients', 'set', name, '--conversions');
      if (!ok) throw new Error(text);
    }
  }

  /** Carries out the act for the client. `choice`, from 0 to 1, selects amounts. Returns what happened. */
  act(act: MoneyAct, choice: number, user: ApiUser): Promise<string> {
    switch (act) {
      case 'announce':
        return this.announce(user, choice);
      case 'import':
        return this.importLatest(user.wallet.currency);
      case 'convert':
        return this.convert(user, choice);
      case 'limit':
        return this.twice('wallets', 'credit-limit', user.wallet.id, whole(choice, 2, 500), ...AGREED);
      case 'close':
        return this.closePastMonth();
    }
  }

  /** Imports every payment, as the last statements of the day. */
  async importAll(): Promise<string> {
    const told: string[] = [];
    for (const currency of new Set(this.payments.map((payment) => payment.currency)))
      told.push(await this.import(this.payments.filter((payment) => payment.currency === currency)));
    return told.join('; ');
  }

  /** Announces a transfer and makes it: exactly, a cent too low, or twice. */
  private async announce({ api, name, wallet }: ApiUser, choice: number): Promise<string> {
    const path = `/api/v1/wallets/${wallet.id}/funding-requests`;
    const amount = (100 + whole(choice, 1, 9_000)) / 100;
    const { status, body } = await api.call<FundingRequest>('POST', path, { amount, purchase_order: name });
    if (status !== 201) return `${name}: ${status}`;
    const { bank_account: account, reference } = body;
    const how = share(choice, 3);
    const paid = how < 0.2 ? amount - 0.01 : amount;
    const payment = { iban: account.iban, currency: wallet.currency, amount: paid.toFixed(2), reference };
    for (let times = how > 0.8 ? 2 : 1; times > 0; times--)
      this.payments.push({ ...payment, number: this.payments.length + 1 });
    return `${name} announces ${amount} as ${reference}, and pays ${paid.toFixed(2)}`;
  }

  private importLatest(currency: string): Promise<string> {
    const own = this.payments.filter((payment) => payment.currency === currency);
    return this.import(own.slice(-IN_A_FILE));
  }

  private async import(payments: readonly Payment[]): Promise<string> {
    if (payments.length === 0) return 'no payment yet';
    const file = join(tmpdir(), `statement-${randomUUID()}.xml`);
    writeFileSync(file, statementOf(payments), { mode: 0o600 });
    try {
      return await this.twice('bank', 'import', file);
    } finally {
      rmSync(file);
    }
  }

  private async convert({ api, name, wallet }: ApiUser, choice: number): Promise<string> {
    const amount = (50 + whole(choice, 1, 500)) / 100;
    const body = { to_wallet_id: this.otherWallets.get(name), amount, reference: `${name}-${choice}` };
    const send = () =>
      api
        .call('POST', `/api/v1/wallets/${wallet.id}/conversions`, body)
        .then(({ status }) => String(status), String);
    return `${name} converts ${amount}: ${(await Promise.all([send(), send()])).join(', ')}`;
  }

  private async closePastMonth(): Promise<string> {
    const today = new Date();
    const month = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, 1)).toISOString();
    const words = ['books', 'close', month.slice(0, 7), '--reason', 'The month is over'];
    const outcomes = await Promise.all([this.operators.run(...words), this.operators.run(...words)]);
    this.closes += outcomes.filter(({ ok }) => ok).length;
    return outcomes.map(firstLine).join('; ');
  }

  private async twice(...words: (string | number)[]): Promise<string> {
    const run = () => this.operators.run(...words);
    return (await Promise.all([run(), run()])).map(firstLine).join('; ');
  }
}

const AGREED = ['--reason', 'Agreed'] as const;

const firstLine = ({ text }: Outcome): string => text.trim().split('\n').at(-1) ?? '';

const whole = (choice: number, power: number, most: number): number =>
  Math.floor(share(choice, power) * most);

/** A statement of the account with the payments (camt.053.001.08). */
function statementOf(payments: readonly Payment[]): string {
  const day = new Date().toISOString().slice(0, 10);
  const entries = payments.map(
    ({ amount, currency, reference, number }) =>
      `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt>` +
      `<AcctSvcrRef>B${number}</AcctSvcrRef><NtryDtls><TxDtls><RmtInf><Ustrd>Invoice ${reference.toLowerCase()}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
  );
  return (
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>S</Id>` +
    `<Acct><Id><IBAN>${payments[0]?.iban ?? ''}</IBAN></Id></Acct>${entries.join('')}</Stmt></BkToCstmrStmt></Document>`
  );
}

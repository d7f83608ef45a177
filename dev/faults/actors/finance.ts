/** The bank, the people of finance, and the clients' money besides orders. docs/operators/money-in.md, docs/operators/books.md. */
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MoneyAct } from '../plan/disturbance';
import { share } from '../random';
import { Bank, type Booking } from './bank';
import type { ApiUser } from './client';
import type { Operators } from './operators';
import type { Outcome } from './ops-processes';

interface FundingRequest {
  id: number;
  amount: number;
  reference: string;
  bank_account: { iban: string };
}

/** An entry of the bank, as people read it. */
export interface BankEntryView {
  id: number;
  state: string;
  direction: 'CREDIT' | 'DEBIT';
  amount: string;
  references: string | null;
  why: string | null;
  reverses: number | null;
}

/** An entry of a file. `equal_to`: the stored entry that may be the same payment. */
interface CheckedEntry extends Pick<BankEntryView, 'direction' | 'references'> {
  equal_to: number | null;
}

/** An announced transfer. */
interface Announced {
  reference: string;
  cents: number;
  walletId: number;
  bank: Bank;
}

/** The currency of the second wallet, by that of the first one. */
const others: Readonly<Record<string, string>> = { USD: 'EUR', EUR: 'USD' };

export class Finance {
  private readonly banks = new Map<string, Bank>();
  private readonly announced: Announced[] = [];
  /** How often the close of the past month was said to be done. */
  closes = 0;
  private readonly otherWallets = new Map<string, number>();

  constructor(private readonly operators: Operators) {}

  /** What the banks booked. */
  get bookings(): readonly Booking[] {
    return [...this.banks.values()].flatMap(({ bookings }) => bookings);
  }

  /** The entries of the bank that are not replaced by other parts. */
  async entries(): Promise<BankEntryView[]> {
    const lists: BankEntryView[][] = [];
    for (const state of ['waiting', 'credited', 'debited', 'ignored']) lists.push(await this.listed(state));
    return lists.flat();
  }

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
        return this.importOf(this.banks.get(user.wallet.currency), choice);
      case 'pay-again':
        return Promise.resolve(this.bookAgain(choice, false));
      case 'bounce':
        return Promise.resolve(this.bookAgain(choice, true));
      case 'credit':
        return this.creditWaiting();
      case 'take-back':
        return this.takeBack();
      case 'convert':
        return this.convert(user, choice);
      case 'limit':
        return this.twice('wallets', 'credit-limit', user.wallet.id, whole(choice, 2, 500), ...AGREED);
      case 'close':
        return this.closePastMonth();
    }
  }

  /** Imports every statement, says which payments are two, and credits and takes back what waits, also what only looks credited. */
  async importAll(): Promise<string> {
    const told: string[] = [];
    for (const bank of this.banks.values()) {
      const statements = bank.statements();
      told.push(...(await this.importEach(statements)), ...(await this.answerEach(statements)));
    }
    return [...told, await this.creditWaiting(), await this.creditUncredited(), await this.takeBack()].join('; ');
  }

  /** Announces a transfer and makes it: exactly, a cent too low, or twice. */
  private async announce({ api, name, wallet }: ApiUser, choice: number): Promise<string> {
    const path = `/api/v1/wallets/${wallet.id}/funding-requests`;
    const amount = (100 + whole(choice, 1, 9_000)) / 100;
    const { status, body } = await api.call<FundingRequest>('POST', path, { amount, purchase_order: name });
    if (status !== 201) return `${name}: ${status}`;
    const { bank_account: account, reference } = body;
    const how = share(choice, 3);
    const cents = Math.round(amount * 100) - (how < 0.2 ? 1 : 0);
    const { currency } = wallet;
    const bank = this.banks.get(currency) ?? new Bank(account.iban, currency);
    this.banks.set(currency, bank);
    this.announced.push({ reference, cents, walletId: wallet.id, bank });
    bank.book(how > 0.8 ? 2 : 1, { cents, reference });
    return `${name} announces ${amount} as ${reference}, and pays ${cents / 100}`;
  }

  /** Books an announced transfer again, or takes it back. */
  private bookAgain(choice: number, isReversal: boolean): string {
    const again = this.announced[Math.floor(share(choice, 4) * this.announced.length)];
    if (!again) return 'no payment yet';
    const { bank, cents, reference } = again;
    bank.book(1, { cents, reference, isReversal });
    return `the bank books ${reference} ${isReversal ? 'back' : 'again'}`;
  }

  /** Imports a new statement or the last one again, and at the same time a download that overlaps with it, also with payments in parts. */
  private async importOf(bank: Bank | undefined, choice: number): Promise<string> {
    if (!bank) return 'no payment yet';
    const [isAgain, isSplit] = [share(choice, 3) < 0.4, share(choice, 5) < 0.5];
    const statement = isAgain ? bank.again(isSplit) : bank.closeStatement();
    const both = [this.importEach(statement), this.importEach(bank.download(!isSplit))];
    return (await Promise.all(both)).flat().join('; ');
  }

  private async importEach(files: readonly string[]): Promise<string[]> {
    const told: string[] = [];
    for (const text of files) told.push(await withFile(text, (file) => this.twice('bank', 'import', file)));
    return told;
  }

  /** Where an import asks whether a payment is one or two, and the bank has more of them than are stored: says that it is another one. */
  private async answerEach(files: readonly string[]): Promise<string[]> {
    const told: string[] = [];
    for (const text of files)
      await withFile(text, async (file) => {
        for (const { equal_to: equal, references, direction } of await this.operators.rows<CheckedEntry>(
          'bank',
          'check',
          file,
        )) {
          if (equal === null || !(await this.lacks(references, direction))) continue;
          told.push(await this.twice('bank', 'import', file, '--another', equal));
        }
      });
    return told;
  }

  /** Whether the bank booked more with the reference than is stored. */
  private async lacks(reference: string | null, direction: string): Promise<boolean> {
    const stored = (await this.entries())
      .filter((one) => one.references === reference && one.direction === direction)
      .reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0);
    const booked = this.bookings
      .filter((one) => one.reference === reference && one.isReversal === (direction === 'DEBIT'))
      .reduce((sum, { cents }) => sum + cents, 0);
    return stored < booked;
  }

  /** Credits payments of credited requests by hand, and never says that one is another payment. */
  private async creditWaiting(): Promise<string> {
    const told: string[] = [];
    for (const { id, why, references } of await this.listed('waiting')) {
      const paid = this.announced.find(({ reference }) => reference === references);
      if (why === 'REQUEST_CREDITED' && paid)
        told.push(await this.twice('bank', 'credit', id, '--wallet', paid.walletId));
    }
    return told.join('; ');
  }

  /** Says of an announced payment that looks like credited ones that it is another one, if nothing with its reference is credited. */
  private async creditUncredited(): Promise<string> {
    const told: string[] = [];
    const credited = await this.listed('credited');
    for (const { id, why, references, amount } of await this.listed('waiting')) {
      const isWhole = this.announced.some(
        ({ reference, cents }) => reference === references && cents === Math.round(Number(amount) * 100),
      );
      if (why !== 'LOOKS_CREDITED' || !isWhole || credited.some((one) => one.references === references)) continue;
      // The answer names the words that it demands.
      const { text } = await this.operators.run('bank', 'credit', id);
      const words = (text.match(/--not-the-same \d+/g) ?? []).flatMap((each) => each.split(' '));
      told.push(await this.twice('bank', 'credit', id, ...words));
    }
    return told.join('; ');
  }

  private async takeBack(): Promise<string> {
    const told: string[] = [];
    for (const { id, reverses } of await this.listed('waiting'))
      if (reverses !== null) told.push(await this.twice('bank', 'take-back', id));
    return told.join('; ');
  }

  /** The entries of a state; none while the list cannot be read. */
  private async listed(state: string): Promise<BankEntryView[]> {
    const { ok, text } = await this.operators.run('--json', 'bank', 'entries', '--state', state, '--limit', 1_000);
    return ok ? (JSON.parse(text) as BankEntryView[]) : [];
  }

  private async convert({ api, name, wallet }: ApiUser, choice: number): Promise<string> {
    const amount = (50 + whole(choice, 1, 500)) / 100;
    const body = { to_wallet_id: this.otherWallets.get(name), amount, reference: `${name}-${choice}` };
    const send = () =>
      api.call('POST', `/api/v1/wallets/${wallet.id}/conversions`, body).then(({ status }) => String(status), String);
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

async function withFile<Result>(text: string, work: (file: string) => Promise<Result>): Promise<Result> {
  const file = join(tmpdir(), `statement-${randomUUID()}.xml`);
  writeFileSync(file, text, { mode: 0o600 });
  try {
    return await work(file);
  } finally {
    rmSync(file);
  }
}

const AGREED = ['--reason', 'Agreed'] as const;

const firstLine = ({ text }: Outcome): string => text.trim().split('\n').at(-1) ?? '';

const whole = (choice: number, power: number, most: number): number => Math.floor(share(choice, power) * most);

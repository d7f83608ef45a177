import { useEffect, useState } from 'preact/hooks';
import { api, list } from '../api';
import { amountOnly, dateValue, money, moment, readAmount, startOfDay, words, zone } from '../format';
import { useLive } from '../live';
import { useLoaded } from '../loading';
import { BalanceChart, balancesOf } from '../parts/balance-chart';
import { Action, Field, Figure, Form, Progress, Row, Table } from '../parts/basics';
import type { Session, Transaction, Usage, Wallet } from '../types';

/** Movements that the chart shows, and the table of them. */
const MOVEMENTS = 200;
const IN_TABLE = 50;
/** The wait before transactions are read again, so that one read covers several orders. */
const GATHER_MS = 1_500;
const DAY_MS = 86_400_000;

/** The wallets, their transactions, and the use of the rate limits. */
export function OverviewPage({ session }: { session: Session }) {
  const live = useLive();
  const wallets = useLoaded(() => api<Wallet[]>('/wallets'), 'wallets');
  const [chosen, setChosen] = useState<number>();
  const current = (wallets.data ?? []).map((wallet) => ({
    ...wallet,
    balance: live.wallets.find(({ id }) => id === wallet.id)?.balance ?? wallet.balance,
  }));
  const shown = current.find(({ id }) => id === chosen) ?? current[0];
  return (
    <>
      <section aria-labelledby="wallets">
        <h2 id="wallets">Wallets</h2>
        <Progress of={wallets} />
        <ul class="cards">
          {current.map((wallet) => (
            <li key={wallet.id} class="card">
              <WalletCard wallet={wallet} isSandbox={session.mode === 'sandbox'} changed={wallets.reload} />
            </li>
          ))}
        </ul>
      </section>
      {shown && <Movements key={shown.id} wallet={shown} wallets={current} choose={setChosen} />}
      <Limits usage={live.usage} />
    </>
  );
}

interface WalletCardProps {
  wallet: Wallet;
  isSandbox: boolean;
  changed: () => void;
}

function WalletCard({ wallet, isSandbox, changed }: WalletCardProps) {
  const { id, currency_code: currency, low_balance_threshold: threshold } = wallet;
  const isLow = threshold !== null && wallet.balance < threshold;
  const fund = () => api(`/sandbox/wallets/${id}/fund`, { method: 'POST', body: { amount: 100 } });
  return (
    <>
      <p class="card-head">
        {currency} {wallet.is_default && <span class="tag">default</span>}{' '}
        {isLow && <span class="tag low">low</span>}
      </p>
      <p class="balance" data-wallet={id}>
        {amountOnly(wallet.balance, currency)}
      </p>
      <Threshold wallet={wallet} changed={changed} />
      {isSandbox && <Action run={fund}>Add {money(100, currency)}</Action>}
    </>
  );
}

/** The threshold of the low-balance event. */
function Threshold({ wallet, changed }: Omit<WalletCardProps, 'isSandbox'>) {
  const { id, currency_code: currency, low_balance_threshold: threshold } = wallet;
  const [text, setText] = useState(threshold === null ? '' : String(threshold));
  const [isSaved, setIsSaved] = useState(false);
  const save = async () => {
    const value = readAmount(text);
    await api(`/wallets/${id}`, { method: 'PATCH', body: { low_balance_threshold: value } });
    setIsSaved(true);
    changed();
  };
  const stored = threshold === null ? 'No alert is set.' : `Alert below ${money(threshold, currency)}.`;
  return (
    <Form class="inline" kind="plain" button={isSaved ? 'Saved' : 'Save'} submit={save}>
      <Field label={`Low-balance alert (${currency})`} hint={stored}>
        {(ids) => (
          <input
            {...ids}
            inputMode="decimal"
            placeholder="never"
            value={text}
            onInput={(event) => {
              setText(event.currentTarget.value);
              setIsSaved(false);
            }}
          />
        )}
      </Field>
    </Form>
  );
}

interface MovementsProps {
  wallet: Wallet;
  wallets: readonly Wallet[];
  choose: (id: number) => void;
}

function Movements({ wallet, wallets, choose }: MovementsProps) {
  const { id, currency_code: currency } = wallet;
  const entries = useMovements(wallet);
  const items = entries.data?.items ?? [];
  return (
    <section aria-labelledby="movements">
      <div class="section-head">
        <h2 id="movements">Movements</h2>
        <Field label="Wallet">
          {(ids) => (
            <select {...ids} value={id} onChange={(event) => choose(Number(event.currentTarget.value))}>
              {wallets.map((each) => (
                <option key={each.id} value={each.id}>
                  {each.currency_code}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <Progress of={entries} />
      {entries.data && <BalanceChart points={balancesOf(items, wallet.balance)} currency={currency} />}
      <details>
        <summary>The latest movements as a table</summary>
        <Table
          caption={`Movements of the ${currency} wallet`}
          columns={['When', 'Amount', 'What for', 'Reference']}
        >
          {items.slice(0, IN_TABLE).map((entry) => (
            <Row
              key={entry.id}
              cells={[
                moment(entry.created_at),
                <Figure>
                  {entry.transaction_type === 'DEBIT' ? '−' : '+'}
                  {money(entry.amount, currency)}
                </Figure>,
                entry.remarks,
                entry.reference_number,
              ]}
            />
          ))}
        </Table>
      </details>
      <Statements walletId={id} currency={currency} />
    </section>
  );
}

/** Reads the latest transactions, and again after the balance changes. */
function useMovements({ id, balance }: Wallet) {
  const entries = useLoaded(
    () => list<Transaction>(`/transactions?wallet_id=${id}&limit=${MOVEMENTS}`),
    String(id),
  );
  const [readAt, setReadAt] = useState(balance);
  const { reload } = entries;
  useEffect(() => {
    if (balance === readAt) return undefined;
    const timer = window.setTimeout(() => {
      setReadAt(balance);
      reload();
    }, GATHER_MS);
    return () => window.clearTimeout(timer);
  }, [balance, readAt, reload]);
  return entries;
}

/** Downloads of statements for any dates, at first the last 30 days. */
function Statements({ walletId, currency }: { walletId: number; currency: string }) {
  const [from, setFrom] = useState(() => dateValue(new Date(Date.now() - 30 * DAY_MS)));
  const [to, setTo] = useState(() => dateValue(new Date()));
  const [start, end] = [startOfDay(from), startOfDay(to, 1)];
  const problem = problemOf(start, end);
  const period = `from=${start?.toISOString()}&to=${end?.toISOString()}`;
  const date = (label: string, value: string, change: (value: string) => void) => (
    <Field label={label}>
      {(ids) => (
        <input {...ids} type="date" value={value} onInput={(event) => change(event.currentTarget.value)} />
      )}
    </Field>
  );
  return (
    <section class="card" aria-labelledby="statements">
      <h3 id="statements">Statements</h3>
      <p class="quiet">CSV files of whole days in {zone()}, at most 366 of them.</p>
      <div class="filters">
        {date('First day', from, setFrom)}
        {date('Last day', to, setTo)}
      </div>
      {problem === undefined ? (
        <p>
          <a href={`/console/api/v1/wallets/${walletId}/statement?${period}`} download>
            Statement of the {currency} wallet
          </a>
          {' · '}
          <a href={`/console/api/v1/statements/orders?${period}`} download>
            Statement of all orders
          </a>
        </p>
      ) : (
        <p role="alert">{problem}</p>
      )}
    </section>
  );
}

const MAX_STATEMENT_DAYS = 366;

function problemOf(start: Date | undefined, end: Date | undefined): string | undefined {
  if (!start || !end) return 'Choose the first and the last day.';
  const length = end.getTime() - start.getTime();
  if (length <= 0) return 'The last day is before the first one.';
  return length > MAX_STATEMENT_DAYS * DAY_MS ? 'Choose at most 366 days.' : undefined;
}

function Limits({ usage }: { usage: readonly Usage[] }) {
  return (
    <section aria-labelledby="limits">
      <h2 id="limits">Rate limits</h2>
      <p class="quiet">Calls of the last minute by class. The live view uses none.</p>
      <ul class="meters">
        {usage.map(({ name, limit, remaining }) => (
          <li key={name}>
            <label for={`limit-${name}`}>{words(name)}</label>
            <meter id={`limit-${name}`} min={0} max={limit} high={limit * 0.8} value={limit - remaining} />
            <span class="number">
              {limit - remaining} of {limit}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

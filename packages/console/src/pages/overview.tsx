import { useEffect, useState } from 'preact/hooks';
import { api, list } from '../api';
import { amountOnly, money, moment, words } from '../format';
import { useLive } from '../live';
import { useLoaded } from '../loading';
import { BalanceChart, balancesOf } from '../parts/balance-chart';
import { Action, Failure, Field, Loading, Table } from '../parts/basics';
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
        <Failure text={wallets.failure} />
        {!wallets.data && <Loading />}
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
    const value = text.trim() === '' ? null : Number(text);
    await api(`/wallets/${id}`, { method: 'PATCH', body: { low_balance_threshold: value } });
    setIsSaved(true);
    changed();
  };
  return (
    <div class="inline">
      <Field label={`Tell me below, ${currency}`}>
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
      <Action run={save}>{isSaved ? 'Saved' : 'Save'}</Action>
    </div>
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
      <Failure text={entries.failure} />
      <BalanceChart points={balancesOf(items, wallet.balance)} currency={currency} />
      <details>
        <summary>The latest movements as a table</summary>
        <Table
          caption={`Movements of the ${currency} wallet`}
          columns={['When', 'Amount', 'What for', 'Reference']}
        >
          {items.slice(0, IN_TABLE).map((entry) => (
            <tr key={entry.id}>
              <td>{moment(entry.created_at)}</td>
              <td class="number">
                {entry.transaction_type === 'DEBIT' ? '−' : '+'}
                {money(entry.amount, currency)}
              </td>
              <td>{entry.remarks}</td>
              <td>{entry.reference_number}</td>
            </tr>
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

/** Downloads of the last 30 days. */
function Statements({ walletId, currency }: { walletId: number; currency: string }) {
  const day = (moment: number) => new Date(moment).toISOString().slice(0, 10);
  const period = `from=${day(Date.now() - 30 * DAY_MS)}&to=${day(Date.now() + DAY_MS)}`;
  return (
    <p>
      The last 30 days as CSV:{' '}
      <a href={`/console/api/v1/wallets/${walletId}/statement?${period}`} download>
        statement of the {currency} wallet
      </a>
      ,{' '}
      <a href={`/console/api/v1/statements/orders?${period}`} download>
        all orders
      </a>
      .
    </p>
  );
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

import { useState } from 'preact/hooks';
import { api, list, send } from '../api';
import { amountOnly, dateValue, money, moment, startOfDay, words, zone, DAY_MS } from '../../../parts/src/format';
import { readAmount } from '../../../parts/src/typed-amounts';
import { confirmationSums } from '../charges';
import { useLive, withBalances } from '../live';
import { useChangeCount, useLoaded } from '../../../parts/src/loading';
import { BalanceChart } from '../parts/balance-chart';
import { Action, Empty, Figure, Progress, Row, Table } from '../../../parts/src/basics';
import { Field, Form } from '../../../parts/src/form';
import { NextStep } from './first-steps';
import { Today } from '../parts/today';
import { hrefOf } from '../route';
import type { BalanceHistory, Session, Transaction, Usage, Wallet } from '../types';

/** Movements that the table shows. */
const IN_TABLE = 50;
/** The periods of the chart in days. */
const periods = [
  [1, '24 hours'],
  [7, '7 days'],
  [30, '30 days'],
  [90, '90 days'],
  [365, '365 days'],
] as const;

/** How today is; then the wallets, their movements, and the use of the rate limits. `day` in the query: the shown day. */
export function OverviewPage({ session, query }: { session: Session; query: URLSearchParams }) {
  const live = useLive();
  const wallets = useLoaded(() => api<Wallet[]>('/wallets'), 'wallets');
  const sums = useLoaded(confirmationSums, 'confirmations');
  const [chosen, setChosen] = useState<number>();
  const current = withBalances(wallets.data ?? [], live);
  const shown = current.find(({ id }) => id === chosen) ?? current[0];
  return (
    <>
      {!session.missing_scopes.includes('webhooks') && <NextStep session={session} />}
      <Today day={query.get('day') ?? ''} />
      <section aria-labelledby="wallets">
        <h2 id="wallets">Wallets</h2>
        <Progress of={wallets} />
        <ul class="cards">
          {current.map((wallet) => (
            <li key={wallet.id} class="card">
              <WalletCard
                wallet={wallet}
                above={sums.data?.get(wallet.id)}
                session={session}
                changed={() => {
                  wallets.reload();
                  sums.reload();
                }}
              />
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
  /** The sum above which the console asks; undefined until it is read. */
  above: number | null | undefined;
  session: Session;
  changed: () => void;
}

function WalletCard({ wallet, above, session, changed }: WalletCardProps) {
  const { id, currency_code: currency, low_balance_threshold: threshold } = wallet;
  const isLow = threshold !== null && wallet.available < threshold;
  const fund = () => api(`/sandbox/wallets/${id}/fund`, { method: 'POST', body: { amount: 100 } });
  return (
    <>
      <p class="card-head">
        {currency} {wallet.is_default && <span class="tag">default</span>} {isLow && <span class="tag low">low</span>}
      </p>
      <p class="balance" data-wallet={id}>
        {amountOnly(wallet.balance, currency)}
      </p>
      {wallet.available !== wallet.balance && (
        <p class="quiet">{money(wallet.available, currency)} available with your credit limit</p>
      )}
      {session.missing_scopes.includes('wallets') ? (
        <p class="quiet">
          {alertOf(wallet)} {askingOf(above, currency)}
        </p>
      ) : (
        <>
          <WalletSum
            name="low_balance_threshold"
            label={`Alert below (${currency})`}
            hint={alertOf(wallet)}
            value={threshold}
            save={(value) =>
              api(`/wallets/${id}`, { method: 'PATCH', body: { low_balance_threshold: value } }).then(changed)
            }
          />
          {above !== undefined && (
            <WalletSum
              name="confirm_above"
              label={`Ask above (${currency})`}
              hint={askingOf(above, currency)}
              value={above}
              save={(value) =>
                send(`/api/confirmations/${id}`, { method: 'PUT', body: { confirm_above: value } }).then(changed)
              }
            />
          )}
        </>
      )}
      {wallet.pending_funding > 0 && (
        <p class="quiet">{money(wallet.pending_funding, currency)} announced by bank transfer</p>
      )}
      {session.funding_currencies.includes(currency) && (
        <p>
          <a href={hrefOf(`funding/${id}`)}>Add funds by bank transfer</a>
        </p>
      )}
      {session.mode === 'sandbox' && <Action run={fund}>Add {money(100, currency)}</Action>}
    </>
  );
}

function askingOf(above: number | null | undefined, currency: string): string {
  return above === null || above === undefined
    ? 'The console places orders without asking.'
    : `The console asks before an order above ${money(above, currency)}.`;
}

function alertOf({ currency_code: currency, low_balance_threshold: threshold }: Wallet): string {
  return threshold === null ? 'No alert is set.' : `Alert below ${money(threshold, currency)}.`;
}

interface WalletSumProps {
  /** The name of the value in the request. */
  name: string;
  label: string;
  hint: string;
  value: number | null;
  save: (value: number | null) => Promise<unknown>;
}

/** A sum of a wallet that the client sets, or leaves empty. */
function WalletSum({ name, label, hint, value, save }: WalletSumProps) {
  const [text, setText] = useState(value === null ? '' : String(value));
  const [isSaved, setIsSaved] = useState(false);
  const submit = async () => {
    await save(readAmount(text));
    setIsSaved(true);
  };
  return (
    <Form class="inline" kind="plain" button={isSaved ? 'Saved' : 'Save'} submit={submit}>
      <Field name={name} label={label} hint={hint}>
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
  const [days, setDays] = useState(7);
  const version = useChangeCount(wallet.balance);
  const history = useLoaded(() => historyOf(id, days), `${id} ${days}`, version);
  const entries = useLoaded(
    () => list<Transaction>(`/transactions?wallet_id=${id}&limit=${IN_TABLE}`),
    String(id),
    version,
  );
  return (
    <section aria-labelledby="movements">
      <div class="section-head">
        <h2 id="movements">Movements</h2>
        <div class="filters">
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
          <Field label="Period">
            {(ids) => (
              <select {...ids} value={days} onChange={(event) => setDays(Number(event.currentTarget.value))}>
                {periods.map(([value, name]) => (
                  <option key={value} value={value}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
      </div>
      <Progress of={history} />
      {history.data && <BalanceChart history={history.data} currency={currency} />}
      <Progress of={entries} />
      {entries.data && <MovementTable entries={entries.data.items} currency={currency} />}
      <Statements walletId={id} currency={currency} />
    </section>
  );
}

function historyOf(walletId: number, days: number): Promise<BalanceHistory> {
  const to = new Date();
  const from = new Date(to.getTime() - days * DAY_MS);
  return send(`/api/wallets/${walletId}/balances?from=${from.toISOString()}&to=${to.toISOString()}`);
}

function MovementTable({ entries, currency }: { entries: readonly Transaction[]; currency: string }) {
  if (entries.length === 0)
    return <Empty what="No movements yet.">The first order or top-up of the wallet appears here.</Empty>;
  return (
    <details>
      <summary>The latest movements as a table</summary>
      <Table
        caption={`Movements of the ${currency} wallet`}
        columns={['When', 'Amount', 'What for', 'Reference']}
        numbers={['Amount']}
      >
        {entries.map((entry) => (
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
  );
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
      {(ids) => <input {...ids} type="date" value={value} onInput={(event) => change(event.currentTarget.value)} />}
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
              {(limit - remaining).toLocaleString('en')} of {limit.toLocaleString('en')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

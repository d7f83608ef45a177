import { useState } from 'preact/hooks';
import { Action, At, Copyable, Empty, Facts, Figure, Progress, Row, Status, Table } from '../../../parts/src/basics';
import { Field, Form } from '../../../parts/src/form';
import { moment, money } from '../../../parts/src/format';
import { readAmount } from '../../../parts/src/typed-amounts';
import { useChangeCount, useLoaded, type Loaded } from '../../../parts/src/loading';
import { api, list, type Page } from '../api';
import { useLive } from '../live';
import { go, hrefOf } from '../route';
import type { FundingRequest, Session, Wallet } from '../types';

const PER_PAGE = 50;

const hrefOfRequest = ({ wallet_id: wallet, id }: FundingRequest) => hrefOf(`funding/${wallet}/${id}`);

/** Changes when the balance of the wallet does, so that a request is read again when its transfer is credited. */
function useBalanceChanges(walletId: number): number {
  return useChangeCount(useLive().wallets.find(({ id }) => id === walletId)?.balance ?? 0);
}

interface WalletFundingProps {
  walletId: number;
  session: Session;
  query: URLSearchParams;
}

/** Announces a bank transfer to a wallet, and lists the announced ones. */
export function WalletFundingPage({ walletId, session, query }: WalletFundingProps) {
  const wallet = useLoaded(() => api<Wallet>(`/wallets/${walletId}`), String(walletId));
  const page = query.get('page') ?? '1';
  const path = `/wallets/${walletId}/funding-requests?page=${encodeURIComponent(page)}&per_page=${PER_PAGE}`;
  const requests = useLoaded(() => list<FundingRequest>(path), path, useBalanceChanges(walletId));
  const currency = wallet.data?.currency_code;
  const canRequest =
    currency !== undefined &&
    session.funding_currencies.includes(currency) &&
    !session.missing_scopes.includes('wallets');
  return (
    <>
      <Progress of={wallet} />
      {canRequest && (
        <section class="card" aria-labelledby="announce">
          <h2 id="announce">Announce a bank transfer</h2>
          <RequestForm walletId={walletId} currency={currency} />
        </section>
      )}
      <section aria-labelledby="requests">
        <h2 id="requests">Announced transfers</h2>
        <Progress of={requests} />
        {requests.data && <RequestTable page={requests.data} walletId={walletId} />}
      </section>
    </>
  );
}

function RequestForm({ walletId, currency }: { walletId: number; currency: string }) {
  const [amount, setAmount] = useState('');
  const [purchaseOrder, setPurchaseOrder] = useState('');
  const submit = async () => {
    const body = { amount: readAmount(amount), purchase_order: purchaseOrder };
    const path = `/wallets/${walletId}/funding-requests`;
    go(hrefOfRequest(await api<FundingRequest>(path, { method: 'POST', body })));
  };
  return (
    <Form submit={submit} button="Show the bank details">
      <Field name="amount" label={`Amount (${currency})`} hint="Transfer exactly this amount.">
        {(ids) => (
          <input
            {...ids}
            inputMode="decimal"
            value={amount}
            onInput={(event) => setAmount(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field name="purchase_order" label="Purchase order" hint="Optional: the number of your own document.">
        {(ids) => (
          <input {...ids} value={purchaseOrder} onInput={(event) => setPurchaseOrder(event.currentTarget.value)} />
        )}
      </Field>
    </Form>
  );
}

function RequestTable({ page, walletId }: { page: Page<FundingRequest>; walletId: number }) {
  if (page.totalCount === 0)
    return <Empty what="No announced transfers yet.">An announced transfer is credited without a wait.</Empty>;
  const hrefOfPage = (number: number) => hrefOf(`funding/${walletId}`, { page: number });
  return (
    <>
      <Table
        caption="Transfers of the wallet"
        isCaptionHidden
        columns={['Made', 'Amount', 'Reference', 'Purchase order', 'State']}
        numbers={['Amount']}
      >
        {page.items.map((request) => (
          <Row
            key={request.id}
            cells={[
              <At time={request.created_at} />,
              <Figure>{money(request.amount, request.currency)}</Figure>,
              <a href={hrefOfRequest(request)}>
                <InGroups text={request.reference} />
              </a>,
              request.purchase_order,
              <Status of={request.state} />,
            ]}
          />
        ))}
      </Table>
      <nav class="buttons" aria-label="Pages of transfers">
        {page.page > 1 && <a href={hrefOfPage(page.page - 1)}>Newer</a>}
        {page.hasMore && <a href={hrefOfPage(page.page + 1)}>Older</a>}
      </nav>
    </>
  );
}

interface FundingRequestProps {
  walletId: number;
  id: number;
  session: Session;
}

/** One announced transfer, as a person prints it for the bank. */
export function FundingRequestPage({ walletId, id, session }: FundingRequestProps) {
  const request = useLoaded(
    () => api<FundingRequest>(`/funding-requests/${id}`),
    String(id),
    useBalanceChanges(walletId),
  );
  return (
    <>
      <Progress of={request} />
      {request.data && <Details request={request.data} reload={request.reload} session={session} />}
      <p class="screen">
        <a href={hrefOf(`funding/${walletId}`)}>All announced transfers of the wallet</a>
      </p>
    </>
  );
}

interface DetailsProps extends Pick<Loaded<FundingRequest>, 'reload'> {
  request: FundingRequest;
  session: Session;
}

function Details({ request, reload, session }: DetailsProps) {
  const { id, state, reference, bank_account: account } = request;
  const act = (path: string) => () => api(path, { method: 'POST', body: {} }).then(reload);
  const isPending = state === 'PENDING';
  return (
    <section class="card transfer" aria-labelledby="transfer">
      <p class="card-head" id="transfer">
        {isPending ? 'Transfer exactly this amount, with this reference' : 'Bank transfer'}
        <Status of={state} />
      </p>
      <Facts
        of={[
          ['Amount', <strong>{money(request.amount, request.currency)}</strong>],
          ['Reference', <Grouped label="the reference" text={reference} />],
          ['Beneficiary', account?.beneficiary],
          ['IBAN', account?.iban && <Grouped label="the IBAN" text={account.iban} />],
          ['BIC', account?.bic],
          [
            'Account number',
            account?.account_number && <Copyable label="the account number" text={account.account_number} />,
          ],
          ['Routing code', account?.routing_code],
          ['Purchase order', request.purchase_order],
          ['Made', moment(request.created_at)],
          [isPending ? 'Valid until' : 'Was valid until', moment(request.expires_at)],
          ['Transaction', request.transaction_id],
        ]}
      />
      <div class="buttons screen">
        <button type="button" onClick={() => print()}>
          Print
        </button>
        {isPending && session.mode === 'sandbox' && (
          <Action run={act(`/sandbox/funding-requests/${id}/pay`)}>Pay as the bank</Action>
        )}
        {isPending && !session.missing_scopes.includes('wallets') && (
          <Action
            kind="danger"
            run={act(`/funding-requests/${id}/cancel`)}
            confirm={{
              title: 'Cancel the transfer',
              text: 'A transfer that you have sent already then waits until we have looked at it.',
            }}
          >
            Cancel
          </Action>
        )}
      </div>
    </section>
  );
}

/** A number of a bank in groups of four, with a button that copies it. */
function Grouped({ label, text }: { label: string; text: string }) {
  return <Copyable label={label} text={text} shown={<InGroups text={text} />} />;
}

/** The text in groups of four, as people read it. A selection has no blanks: some banks keep only 18 characters of a reference. */
function InGroups({ text }: { text: string }) {
  const groups = text.match(/.{1,4}/g) ?? [];
  return (
    <span class="groups">
      {groups.map((group, index) => (
        <span key={index}>{group}</span>
      ))}
    </span>
  );
}

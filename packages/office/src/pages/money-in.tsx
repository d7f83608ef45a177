/** Money that arrives at our bank accounts. docs/operators/money-in.md. */
import { useEffect, useState } from 'preact/hooks';
import { Failure, useRun } from '../../../parts/src/basics';
import { call, CallError, type Answer, type GivenFile } from '../call';
import { useOperation } from '../office';
import type { OperationView } from '../operations';
import { type Row } from '../parts/cells';
import { DropZone } from '../parts/drop-zone';
import { List, Rows } from '../parts/list';
import { Permit } from '../parts/permit';
import { SecondFactor } from '../parts/second-factor';

export function MoneyInPage() {
  const [file, setFile] = useState<{ given: GivenFile; number: number }>();
  const [changes, setChanges] = useState(0);
  const [check, importing] = [useOperation('bank check'), useOperation('bank import')];
  return (
    <>
      {check && importing && (
        <section aria-labelledby="bank-file">
          <h2 id="bank-file">Import a statement</h2>
          <DropZone
            what="a camt.053, MT940 or CSV file of a bank"
            take={(given) => setFile((before) => ({ given, number: (before?.number ?? 0) + 1 }))}
          />
          {file && (
            <FileImport
              key={file.number}
              {...{ check, importing }}
              file={file.given}
              done={() => setChanges((before) => before + 1)}
            />
          )}
        </section>
      )}
      <List
        title="Entries"
        operation="bank entries"
        filters={['state', 'account']}
        columns={['id', 'booked_on', 'direction', 'amount', 'payer', 'references', 'why', 'client']}
        more={[
          'explanation',
          'text',
          'payer_account',
          'account',
          'reverses',
          'looks_like',
          'proposal',
          'wallet_id',
          'transaction_id',
        ]}
        rowActions={[
          {
            operation: 'bank credit',
            given: ({ id }) => ({ entry: Number(id) }),
            fits: ({ state, direction, why }) =>
              !['CREDITED', 'DEBITED'].includes(String(state)) &&
              direction === 'CREDIT' &&
              !['REVERSAL', 'REVERSES_CREDIT'].includes(String(why)),
          },
          {
            operation: 'bank take-back',
            given: ({ id }) => ({ entry: Number(id) }),
            fits: ({ state, reverses }) => state === 'WAITING' && reverses !== null,
          },
          {
            operation: 'bank ignore',
            given: ({ id }) => ({ entries: [String(id)] }),
            fits: ({ state }) => state === 'WAITING',
          },
        ]}
        version={changes}
      />
      <List
        title="Missing statements"
        operation="bank gaps"
        nameOf={({ gap }) => String(gap)}
        rowActions={[{ operation: 'bank gap accept', given: ({ gap }) => ({ gap: String(gap) }) }]}
        version={changes}
      />
    </>
  );
}

interface Imported extends Record<'added' | 'credited' | 'proposed' | 'waiting' | 'pending' | 'known', number> {
  entries: Row[];
}

interface FileImportProps {
  file: GivenFile;
  check: OperationView;
  importing: OperationView;
  /** Called once something may have changed. */
  done: () => void;
}

/** What the import of the file would do, the button that does it, and what it has done. */
function FileImport({ file, check, importing, done }: FileImportProps) {
  const [checked, setChecked] = useState<Answer<Row[]>>();
  const [answer, setAnswer] = useState<Answer<Imported>>();
  const [progress, setProgress] = useState('');
  const [isForced, setIsForced] = useState(false);
  const [answers, setAnswers] = useState<Answers>({ another: [], same: [] });
  const [error, setError] = useState<CallError>();
  const reading = useRun(async () => {
    setChecked(await call<Row[]>({ operation: check, values: { file }, progress: setProgress }));
    setProgress('');
  });
  const work = useRun(async () => {
    setError(undefined);
    try {
      const values = {
        file,
        ...(isForced && { force: true }),
        ...(answers.another.length > 0 && { another: answers.another }),
        ...(answers.same.length > 0 && { same: answers.same }),
      };
      setAnswer(await call<Imported>({ operation: importing, values, progress: setProgress }));
    } catch (caught) {
      if (caught instanceof CallError) setError(caught);
      throw caught;
    } finally {
      setProgress('');
      done();
    }
  });
  useEffect(reading.start, []);
  const url = error?.confirmationUrl;
  const foreseen = checked?.result;
  const rows = answer?.result.entries ?? foreseen;
  return (
    <div class="card bank-file">
      <h3>{file.name}</h3>
      <p role="status">{progress || (answer ? importedText(answer.result) : foreseenText(foreseen))}</p>
      <Failure text={reading.rejection?.text} />
      {(answer ?? checked)?.remarks.map((remark) => (
        <p key={remark} class="notice">
          {remark}
        </p>
      ))}
      {rows && rows.length > 0 && <Rows title={file.name} rows={rows} {...ofFile} changed={done} />}
      <Questions
        rows={rows ?? []}
        answers={answers}
        answer={(entry, is) => {
          setAnswers({ ...answers, [is]: [...answers[is], entry] });
          setAnswer(undefined);
        }}
      />
      {foreseen && !answer && (
        <>
          {(error?.kind === 'FORCE_REQUIRED' || isForced) && (
            <Permit operation={importing} {...{ isForced, setIsForced }} />
          )}
          {url === undefined ? <Failure text={work.rejection?.text} /> : <SecondFactor url={url} resume={work.start} />}
          <div class="buttons">
            <button type="button" class="primary" aria-busy={work.isBusy} onClick={work.start}>
              Import
            </button>
          </div>
        </>
      )}
    </div>
  );
}

/** The stored entries that are other payments than those of the file, and those that are the same. */
type Answers = Record<'another' | 'same', readonly string[]>;

interface QuestionsProps {
  rows: readonly Row[];
  answers: Answers;
  answer: (entry: string, is: keyof Answers) => void;
}

/** Asks about the entries that are equal to stored ones. The next import has the answers. Of a preview, others have no number yet. */
function Questions({ rows, ...answered }: QuestionsProps) {
  const asked = rows.filter((row) => typeof row['question'] === 'string');
  return (
    <>
      {asked.map(({ equal_to: entry, question }, index) => (
        <p key={index} class="notice">
          {String(question)} {typeof entry === 'number' && <Answer entry={String(entry)} {...answered} />}
        </p>
      ))}
    </>
  );
}

function Answer({ entry, answers, answer }: Omit<QuestionsProps, 'rows'> & { entry: string }) {
  if (answers.another.includes(entry)) return 'The import stores it as another payment.';
  if (answers.same.includes(entry)) return 'The import keeps it as the same payment.';
  return (
    <>
      <button type="button" onClick={() => answer(entry, 'another')}>
        It is another payment
      </button>{' '}
      <button type="button" onClick={() => answer(entry, 'same')}>
        It is the same payment
      </button>
    </>
  );
}

/** The columns of entries of a file, of which most are not stored and have no id. */
const ofFile = {
  columns: ['booked_on', 'amount', 'payer', 'references', 'result', 'why', 'wallet_id'],
  more: ['explanation', 'direction', 'id'],
  nameOf: () => undefined,
};

function foreseenText(rows: readonly Row[] | undefined): string {
  if (!rows) return 'The file is read …';
  const count = (wanted: string) => rows.filter(({ result }) => result === wanted).length;
  const pending = count('PENDING');
  const parts = [
    `${count('CREDIT')} will be credited`,
    `${count('WAITS')} will wait for a person`,
    `${count('KNOWN')} known before`,
    ...(pending > 0 ? [`${pending} not booked yet`] : []),
  ];
  return `${rows.length === 1 ? '1 entry' : `${rows.length} entries`}: ${parts.join(', ')}.`;
}

function importedText({ added, credited, proposed, waiting, known }: Imported): string {
  const approval = proposed > 0 ? ` ${proposed} waiting for approval,` : '';
  return `Imported: ${added} new, ${credited} credited,${approval} ${waiting} waiting for a person, ${known} known before.`;
}

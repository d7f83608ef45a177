/** The fields that tasks share. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Facts, Failure } from '../../../parts/src/basics';
import { Field } from '../../../parts/src/form';
import { money } from '../../../parts/src/format';

interface ChoiceProps<Value extends string> {
  legend: string;
  options: readonly { value: Value; label: ComponentChildren; about?: ComponentChildren }[];
  chosen: Value | undefined;
  choose: (value: Value) => void;
  /** One below the other, because each has much to say. */
  isTall?: boolean;
}

/** One of several ways, each in words. */
export function Choice<Value extends string>({ legend, options, chosen, choose, isTall }: ChoiceProps<Value>) {
  const name = useId();
  return (
    <fieldset class={isTall ? 'choice tall' : 'choice'}>
      <legend>{legend}</legend>
      {options.map(({ value, label, about }) => (
        <label key={value} class={value === chosen ? 'chosen' : ''}>
          <input
            type="radio"
            name={name}
            aria-labelledby={`${name}-${value}`}
            {...(about !== undefined && { 'aria-describedby': `${name}-${value}-about` })}
            checked={value === chosen}
            onChange={() => choose(value)}
          />
          <span>
            <strong id={`${name}-${value}`}>{label}</strong>
            {about !== undefined && (
              <span id={`${name}-${value}-about`} class="about-choice">
                {about}
              </span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface FamilyFieldProps {
  label?: string;
  /** Empty if none is chosen. */
  value: string;
  choose: (family: string) => void;
}

/** A product family. */
export function FamilyField({ label = 'Family', value, choose }: FamilyFieldProps) {
  return (
    <Field label={label} name="family">
      {(ids) => (
        <select {...ids} value={value} onChange={(event) => choose(event.currentTarget.value)}>
          <option value="">Choose</option>
          <option value="vouchers">Vouchers</option>
          <option value="topups">Top-ups</option>
          <option value="esim">eSIM</option>
        </select>
      )}
    </Field>
  );
}

interface InputProps {
  ids: Parameters<Parameters<typeof Field>[0]['children']>[0];
  inputMode?: 'decimal';
  typed: string;
  type: (typed: string) => void;
  /** Why the text is no value. */
  failure?: string | undefined;
}

/** A line of text, which the browser does not complete. */
function Input({ ids, typed, type, failure, ...more }: InputProps) {
  return (
    <input
      {...ids}
      {...(failure !== undefined && { 'aria-invalid': true })}
      {...more}
      autoComplete="off"
      value={typed}
      onInput={(event) => type(event.currentTarget.value)}
    />
  );
}

interface LineProps extends Omit<InputProps, 'ids'> {
  label: string;
  name: string;
  hint: string;
}

/** A field of one line. */
export function Line({ label, name, hint, failure, ...more }: LineProps) {
  return (
    <Field {...{ label, name }} hint={failure ?? hint}>
      {(ids) => <Input {...more} {...{ ids, failure }} />}
    </Field>
  );
}

interface AmountFieldProps {
  label?: string;
  name: string;
  currency: string;
  typed: string;
  type: (typed: string) => void;
  hint?: string;
  /** Why the text is no amount. */
  failure: string | undefined;
  /** Absent if the currency follows from the wallet. */
  changeCurrency?: (currency: string) => void;
}

/** An amount in the currency of its wallet, as the reader writes amounts. */
export function AmountField({
  label = 'Amount',
  name,
  currency,
  typed,
  type,
  hint,
  failure,
  changeCurrency,
}: AmountFieldProps) {
  return (
    <div class="amount">
      <Field label={`${label} in ${currency}`} name={name} hint={hint}>
        {(ids) => (
          <>
            <Input ids={ids} inputMode="decimal" {...{ typed, type, failure }} />
            <Failure text={failure} />
          </>
        )}
      </Field>
      {changeCurrency && (
        <Field label="Currency">
          {(ids) => (
            <select {...ids} value={currency} onChange={(event) => changeCurrency(event.currentTarget.value)}>
              {Intl.supportedValuesOf('currency').map((code) => (
                <option key={code}>{code}</option>
              ))}
            </select>
          )}
        </Field>
      )}
    </div>
  );
}

interface NoteFieldProps {
  label: string;
  name?: string;
  hint?: string;
  note: string;
  write: (note: string) => void;
}

/** A text of at most 1,000 characters. */
export function NoteField({ label, name = 'note', hint, note, write }: NoteFieldProps) {
  return (
    <Field label={label} name={name} hint={hint}>
      {(ids) => (
        <textarea
          {...ids}
          rows={2}
          maxLength={1_000}
          value={note}
          onInput={(event) => write(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** What happens does not depend on the reason, so a preview does not wait for it. */
export const UNKNOWN_REASON = '-';

interface ReasonProps {
  label?: string;
  reason: string;
  write: (reason: string) => void;
}

/** Why an operator does it. */
export function Reason({ label = 'Reason', reason, write }: ReasonProps) {
  return <NoteField label={label} name="reason" hint="For colleagues and the audit." note={reason} write={write} />;
}

interface CheckProps {
  label: string;
  isChecked: boolean;
  check: (isChecked: boolean) => void;
}

export function Check({ label, isChecked, check }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={isChecked} onChange={(event) => check(event.currentTarget.checked)} />
      {label}
    </label>
  );
}

interface BalanceProps {
  /** The preview, of which the page shows what its own facts do not say. */
  preview: string;
  wallet: string;
  currency: string;
  sum: string;
  before: string;
  /** Undefined while nothing moves, because the wallet is closed. */
  after: string | undefined;
}

/** The sum that moves, and the balance before and after. */
export function Balance({ preview, wallet, currency, sum, before, after }: BalanceProps) {
  if (preview.startsWith('Nothing changes')) return <p class="notice">{preview}</p>;
  const shown = (amount: string) => <span class="number">{money(amount, currency)}</span>;
  return (
    <>
      <Facts
        of={[
          ['Moves', <strong>{shown(sum)}</strong>],
          [
            wallet,
            after === undefined ? (
              'is closed: the refund waits until it is open'
            ) : (
              <>
                {shown(before)} → {shown(after)}
              </>
            ),
          ],
        ]}
      />
      <Approval preview={preview} />
    </>
  );
}

/** That a second person has to approve it; nothing if no rule asks for one. */
function Approval({ preview }: { preview: string }) {
  const at = preview.indexOf('It needs approval');
  return at < 0 ? null : <p class="notice">{preview.slice(at)}</p>;
}

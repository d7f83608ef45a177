import { captionOf } from './cells';

/** The kinds of objects that a person looks for. */
const kinds = [
  'order',
  'wallet',
  'client',
  'claim',
  'member',
  'api_key',
  'webhook_endpoint',
  'funding_request',
  'discount',
  'margin_rule',
  'source',
  'supplier_pause',
  'rate',
  'proposal',
  'person',
];

interface ObjectControlProps {
  ids: { id: string };
  /** Such as `wallet/12`, or `wallet` for every wallet. */
  text: string;
  write: (text: string) => void;
}

/** What an entry of the audit is about: a kind, and the number of one, or of none for all. */
export function ObjectControl({ ids, text, write }: ObjectControlProps) {
  const [kind = '', number = ''] = text.split('/');
  const change = (of: string, one: string) => write(of === '' || one.trim() === '' ? of : `${of}/${one.trim()}`);
  return (
    <span class="object-field">
      <select {...ids} value={kind} onChange={(event) => change(event.currentTarget.value, number)}>
        <option value="">Any</option>
        {[...new Set([...kinds, ...(kind ? [kind] : [])])].map((each) => (
          <option key={each} value={each}>
            {captionOf(each)}
          </option>
        ))}
      </select>
      {kind !== '' && (
        <input
          aria-label="Number or name"
          placeholder="Any"
          autoComplete="off"
          value={text.slice(kind.length + 1)}
          onInput={(event) => change(kind, event.currentTarget.value)}
        />
      )}
    </span>
  );
}

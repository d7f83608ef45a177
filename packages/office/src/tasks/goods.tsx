/** Goods that a supplier gave in another way, one field for each part. */
import { Field } from '../../../parts/src/form';
import type { Value } from '../call';

/** The parts of one unit, by their names in the file of `orders resolve`. */
export type Goods = Readonly<Record<string, string>>;

interface Part {
  name: string;
  label: string;
  isDay?: true;
}

const partsOf = (family: string): readonly Part[] =>
  family === 'ESIM'
    ? [
        { name: 'iccid', label: 'ICCID' },
        { name: 'activation_code', label: 'Activation code' },
      ]
    : [
        { name: 'card_number', label: 'Code' },
        { name: 'pin_code', label: 'PIN' },
        { name: 'claim_url', label: 'Link' },
        { name: 'expires_at', label: 'Expiry', isDay: true },
      ];

/** Whether every unit has what a client needs to use it. */
export function isComplete(family: string, goods: readonly Goods[]): boolean {
  const has = (unit: Goods, name: string) => (unit[name] ?? '').trim() !== '';
  return goods.every((unit) =>
    family === 'ESIM'
      ? has(unit, 'iccid') && has(unit, 'activation_code')
      : has(unit, 'card_number') || has(unit, 'claim_url'),
  );
}

/** The goods as the operation takes them. */
export function goodsFile(goods: readonly Goods[]): Value {
  const filled = goods.map((unit) =>
    Object.fromEntries(
      Object.entries(unit).flatMap(([name, text]) => (text.trim() === '' ? [] : [[name, text.trim()]])),
    ),
  );
  return { name: 'goods', text: JSON.stringify(filled) };
}

interface GoodsFieldsProps {
  family: string;
  goods: readonly Goods[];
  change: (goods: readonly Goods[]) => void;
}

export function GoodsFields({ family, goods, change }: GoodsFieldsProps) {
  const write = (index: number, name: string, text: string) =>
    change(goods.map((unit, at) => (at === index ? { ...unit, [name]: text } : unit)));
  return (
    <>
      {goods.map((unit, index) => (
        <fieldset key={index} class="goods">
          <legend>{unitName(family, goods.length, index)}</legend>
          {partsOf(family).map(({ name, label, isDay }) => (
            <Field key={name} label={label}>
              {(ids) => {
                const shared = {
                  ...ids,
                  autoComplete: 'off',
                  spellcheck: false,
                  value: unit[name] ?? '',
                  onInput: (event: { currentTarget: HTMLInputElement }) =>
                    write(index, name, event.currentTarget.value),
                };
                return isDay ? <input {...shared} type="date" /> : <input {...shared} />;
              }}
            </Field>
          ))}
        </fieldset>
      ))}
      <p class="hint">
        {family === 'ESIM' ? 'Both are needed.' : 'Each card needs a code or a link.'} They are stored sealed.
      </p>
    </>
  );
}

function unitName(family: string, units: number, index: number): string {
  if (family === 'ESIM') return 'eSIM';
  return units === 1 ? 'Card' : `Card ${index + 1} of ${units}`;
}

import { words } from '../../../parts/src/format';

interface NumbersProps {
  ids: { id: string };
  label: string;
  /** What has a number each. */
  choices: readonly string[];
  /** `<choice>=<number>`, one a line. */
  text: string;
  write: (text: string) => void;
}

/** A number for each of a few things. Nothing is written for an empty field, and `default` for 0. */
export function Numbers({ ids, label, choices, text, write }: NumbersProps) {
  const numbers = new Map(text.split('\n').map((line) => line.split('=') as [string, string | undefined]));
  const change = (choice: string, typed: string) => {
    const number = /^0+$/.test(typed.trim()) ? 'default' : typed.trim();
    const changed = new Map(numbers).set(choice, number);
    const filled = [...changed].filter(([, value = '']) => value !== '');
    write(filled.map((pair) => pair.join('=')).join('\n'));
  };
  return (
    <div id={ids.id} role="group" aria-label={label} class="number-fields">
      {choices.map((choice) => (
        <label key={choice}>
          {words(choice.replace(':', ' '))}
          <input
            inputMode="numeric"
            autoComplete="off"
            value={numbers.get(choice)?.replace('default', '0') ?? ''}
            onInput={(event) => change(choice, event.currentTarget.value)}
          />
        </label>
      ))}
    </div>
  );
}

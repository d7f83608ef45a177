/** The names and labels that operators give: one line that people read, without control and direction characters. */
import { MAX_LABEL_LENGTH } from '../../domain/clients/key-limits';
import { hiddenCharacterOfLine } from '../../domain/shown-text';
import { InvalidArgument, type Kind } from './arguments';

/** The kind of lines that `check` accepts. It gets the trimmed line, and throws `InvalidArgument`. */
function line(placeholder: string, check: (line: string) => void): Kind<string> {
  const read = (written: string): string => {
    const trimmed = written.trim();
    const hidden = hiddenCharacterOfLine(trimmed);
    if (hidden !== undefined) throw new InvalidArgument(`Give one line of text, without the character ${hidden}.`);
    check(trimmed);
    return trimmed;
  };
  return { placeholder, schema: { type: 'string' }, read };
}

/** The name that a person, an account or a product gets. */
export const newName = line('name', assertGiven);

function assertGiven(name: string): void {
  if (name === '') throw new InvalidArgument('Give a name.');
}

/** The name of a new client. A name of digits would be read as an id. */
export const clientName = line('name', (name) => {
  if (/^[0-9]*$/.test(name))
    throw new InvalidArgument('Give a name that is not a number: commands read a number as the id of a client.');
});

/** The label of an API key; empty for none. */
export const keyLabel = line('text', assertShort);

function assertShort(label: string): void {
  if (label.length > MAX_LABEL_LENGTH)
    throw new InvalidArgument(`Give at most ${MAX_LABEL_LENGTH} characters on one line.`);
}

/** The name of a member, as the API accepts it. */
export const memberName = line('name', (name) => {
  assertGiven(name);
  assertShort(name);
});

/** Secrets that are searched for, in every form in which they could lie somewhere. */

/** What kind of secret, and the secret. Short ones are in many a number by chance: at least ten characters. */
export interface Marker {
  kind: string;
  value: string;
}

/** A marker that was found, and where. */
export interface Finding {
  kind: string;
  place: string;
}

/** The kinds of the markers that are in the text, in any form. */
export function kindsIn(text: string, markers: readonly Marker[]): string[] {
  const found = markers.filter(({ value }) => formsOf(value).some((form) => text.includes(form)));
  return [...new Set(found.map(({ kind }) => kind))];
}

const forms = new Map<string, string[]>();

/** The text itself, and as URLs, JSON, hexadecimal and base64 hold it. */
function formsOf(value: string): string[] {
  const known = forms.get(value);
  if (known) return known;
  if (value.length < 10) throw new Error(`"${value}" is too short to be searched for`);
  const hex = Buffer.from(value).toString('hex');
  const made = [
    value,
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
    hex,
    hex.toUpperCase(),
    ...[0, 1, 2].flatMap((shift) => base64At(value, shift)),
  ];
  forms.set(value, made);
  return made;
}

/** What is in base64 and base64url of any text that has the value so many bytes after a multiple of three. */
function base64At(value: string, shift: number): string[] {
  const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(value)]);
  const whole = Math.floor((bytes.length * 8) / 6);
  return (['base64', 'base64url'] as const).map((encoding) =>
    bytes.toString(encoding).slice(Math.ceil((shift * 8) / 6), whole),
  );
}

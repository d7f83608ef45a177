/** Searches for secrets in every encoding in which they could be stored. */

/** The kind of a secret, and the secret. At least ten characters, because shorter ones match numbers by chance. */
export interface Marker {
  kind: string;
  value: string;
}

/** A marker and the place where it was found. */
export interface Finding {
  kind: string;
  place: string;
}

/** The kinds of the markers in the text, in any encoding. */
export function kindsIn(text: string, markers: readonly Marker[]): string[] {
  const found = markers.filter(({ value }) => formsOf(value).some((form) => text.includes(form)));
  return [...new Set(found.map(({ kind }) => kind))];
}

const forms = new Map<string, string[]>();

/** The text itself, and its URL, JSON, hexadecimal and base64 encodings. */
function formsOf(value: string): string[] {
  const known = forms.get(value);
  if (known) return known;
  if (value.length < 10) throw new Error(`"${value}" is too short for a search`);
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

/** The base64 and base64url characters of the value when it starts `shift` bytes after a multiple of three. */
function base64At(value: string, shift: number): string[] {
  const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(value)]);
  const whole = Math.floor((bytes.length * 8) / 6);
  return (['base64', 'base64url'] as const).map((encoding) =>
    bytes.toString(encoding).slice(Math.ceil((shift * 8) / 6), whole),
  );
}

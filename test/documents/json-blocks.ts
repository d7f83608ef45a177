/** JSON as the client pages show it: wide enough to read, narrow enough for the column of a page. */

const WIDTH = 98;
/** A list or object that is longer has lines of its own. */
const MAX_IN_LINE = 40;

/** The value on as few lines as fit. `indent`: of its first line. `lead`: the characters before it on that line. */
export function shownJson(value: unknown, indent = 0, lead = 0): string {
  const line = inLine(value);
  if (line.length + indent + lead <= WIDTH || typeof value !== 'object' || value === null) return line;
  const entries: [name: string, value: unknown][] = Array.isArray(value)
    ? value.map((item: unknown) => ['', item])
    : Object.entries(value).map(([name, one]) => [`"${name}": `, one]);
  const room = WIDTH - indent - 2;
  const lines: string[] = [];
  let canGrow = false;
  entries.forEach(([name, one], index) => {
    const comma = index < entries.length - 1 ? ',' : '';
    const text = `${name}${shownJson(one, indent + 2, name.length)}${comma}`;
    const isLong = text.includes('\n') || (typeof one === 'object' && inLine(one).length > MAX_IN_LINE);
    const last = lines.at(-1) ?? '';
    if (canGrow && !isLong && last.length + 1 + text.length <= room) lines[lines.length - 1] = `${last} ${text}`;
    else lines.push(text);
    canGrow = !isLong;
  });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const pad = ' '.repeat(indent);
  return [open, ...lines.map((one) => `${pad}  ${one}`), `${pad}${close}`].join('\n');
}

function inLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, one]) => `"${name}": ${inLine(one)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

/** PostgreSQL's own parse tree of a statement, as its settings `debug_print_parse` and `pg_rewrite` write it. */

/** A node, such as `{VAR :varno 1 :varattno 2}`: its kind and its fields. */
export interface Node {
  kind: string;
  fields: ReadonlyMap<string, Value>;
}

/** A field has nothing (`<>`), a word, a node or a list. */
export type Value = undefined | string | Node | readonly Value[];

const tokens = /[{}()]|(?:\\.|[^\s{}()\\])+/g;

/** The query of the text, which may be the only one of a list. */
export function queryIn(text: string): Node | undefined {
  const value = parsed(text);
  const query = isList(value) ? value[0] : value;
  return isNode(query) ? query : undefined;
}

function parsed(text: string): Value {
  const words = text.match(tokens) ?? [];
  let at = 0;

  const value = (): Value => {
    const word = words[at++];
    if (word === '{') return node();
    if (word === '(') return list();
    return word === '<>' ? undefined : word;
  };
  const list = (): Value[] => {
    const found: Value[] = [];
    while (at < words.length && words[at] !== ')') found.push(value());
    at += 1;
    return found;
  };
  const node = (): Node => {
    const kind = words[at++] ?? '';
    const fields = new Map<string, Value>();
    while (at < words.length && words[at] !== '}') {
      const name = words[at++] ?? '';
      // The bytes of a constant follow their number. Only the first word of a field matters.
      if (name.startsWith(':')) fields.set(name.slice(1), value());
    }
    at += 1;
    return { kind, fields };
  };
  return value();
}

export const isNode = (value: Value): value is Node => typeof value === 'object' && 'kind' in value;
export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

export function nodeOf({ fields }: Node, name: string): Node | undefined {
  const value = fields.get(name);
  return isNode(value) ? value : undefined;
}

/** The nodes of a list; none if the field has nothing. */
export function nodesOf({ fields }: Node, name: string): Node[] {
  const value = fields.get(name);
  return isList(value) ? value.filter(isNode) : [];
}

export function numberOf({ fields }: Node, name: string): number {
  return Number(fields.get(name));
}

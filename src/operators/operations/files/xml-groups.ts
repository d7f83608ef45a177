/** Reads XML as a stream: the texts of the named elements, group by group, such as one entry. Nothing else is kept. */
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { thrownMessage } from '../../../domain/unknown-values';
import { InvalidArgument } from '../arguments';
import { assertFieldLength } from './field-lengths';

/** An element whose texts belong together, with what is kept of it. Paths begin below the element, such as `Acct/Id/IBAN`. */
export interface Shape {
  name: string;
  /** The groups inside, by their paths. */
  groups: ReadonlyMap<string, Shape>;
  texts: ReadonlySet<string>;
  attributes: ReadonlyMap<string, readonly string[]>;
  /** Every path that leads to a text, an attribute or a group. */
  known: ReadonlySet<string>;
}

/** The shape of the element `name`. `texts`: paths of elements and of attributes, such as `Amt@Ccy` or its own `@time`. `groups`: by path. */
export function shape(name: string, texts: readonly string[], groups: Readonly<Record<string, Shape>> = {}): Shape {
  const attributes = new Map<string, string[]>();
  for (const [path = '', attribute] of texts.map((text) => text.split('@')))
    if (attribute !== undefined) attributes.set(path, [...(attributes.get(path) ?? []), attribute]);
  const steps = [...texts, ...Object.keys(groups)].map((path) => path.replace(/@.*/, '').split('/'));
  return {
    name,
    groups: new Map(Object.entries(groups)),
    texts: new Set(texts.filter((text) => !text.includes('@'))),
    attributes,
    known: new Set(steps.flatMap((names) => names.map((_, index) => names.slice(0, index + 1).join('/')))),
  };
}

/** What the file says in one group. */
export interface Group {
  name: string;
  /** The line at which it begins. */
  line: number;
  /** The group around it; undefined for the root. */
  parent: Group | undefined;
  /** Trimmed, by path, in the sequence of the file. */
  texts: Map<string, string[]>;
}

interface GroupReader {
  /** The root element. */
  shape: Shape;
  /** Throws `InvalidArgument` for a file with another root. `uri`: the namespace. */
  root: (name: string, uri: string) => void;
  opened: (group: Group) => void;
  closed: (group: Group) => void;
}

/** Where an element stands. */
interface Known {
  group: Group;
  shape: Shape;
  /** Below the group. */
  path: string;
}

/** An open element. Without `known`, nothing in it is kept. */
interface OpenElement {
  known: Known | undefined;
  isGroup: boolean;
  isKept: boolean;
  text: string;
}

const MAX_DEPTH = 64;
const MAX_ATTRIBUTES = 32;

/**
 * Calls the reader at the beginning and at the end of each group. Throws `InvalidArgument` with the line for a file that is no XML, has a
 * DOCTYPE, or is deeper than 64 elements, and what the reader throws.
 */
export function readGroups(text: string, reader: GroupReader): void {
  const parser = new SaxesParser({ xmlns: true, position: true });
  const open: OpenElement[] = [];
  const located = (work: () => void) => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof InvalidArgument) || /^line \d/.test(error.message)) throw error;
      throw new InvalidArgument(`line ${parser.line}: ${error.message}`);
    }
  };
  const append = (more: string) => {
    const top = open.at(-1);
    if (!top?.isKept) return;
    top.text += more;
    assertFieldLength(top.text.length, parser.line, `the element ${top.known?.path ?? ''}`);
  };
  parser.on('error', (error) => {
    throw new InvalidArgument(`line ${parser.line}: ${thrownMessage(error).replace(/^\d+:\d+: /, '')}`);
  });
  parser.on('doctype', () => {
    throw new InvalidArgument(`line ${parser.line}: it has a DOCTYPE, which is not read`);
  });
  let attributes = 0;
  parser.on('opentagstart', () => {
    attributes = 0;
  });
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > MAX_ATTRIBUTES)
      throw new InvalidArgument(`line ${parser.line}: an element has more than ${MAX_ATTRIBUTES} attributes`);
  });
  parser.on('text', append);
  parser.on('cdata', append);
  parser.on('opentag', (tag) =>
    located(() => {
      if (open.length === MAX_DEPTH) throw new InvalidArgument(`it has more than ${MAX_DEPTH} levels`);
      if (open.length === 0) reader.root(tag.local, tag.uri);
      const element = openedIn(open.at(-1), tag, { line: parser.line, root: reader.shape });
      open.push(element);
      if (element.isGroup && element.known) reader.opened(element.known.group);
    }),
  );
  parser.on('closetag', () =>
    located(() => {
      const { known, isGroup, isKept, text: content } = open.pop() ?? {};
      if (!known) return;
      if (isKept) keep(known.group, known.path, (content ?? '').trim());
      if (isGroup) reader.closed(known.group);
    }),
  );
  parser.write(text).close();
}

function openedIn(
  parent: OpenElement | undefined,
  { local, attributes }: SaxesTagNS,
  { line, root }: { line: number; root: Shape },
): OpenElement {
  const unknown = { known: undefined, isGroup: false, isKept: false, text: '' };
  const keepAttributes = ({ group, shape: outer, path }: Known) => {
    for (const name of outer.attributes.get(path) ?? [])
      keep(group, `${path}@${name}`, (attributes[name]?.value ?? '').trim());
  };
  const groupOf = (own: Shape, around: Group | undefined): OpenElement => {
    const known = { group: { name: own.name, line, parent: around, texts: new Map() }, shape: own, path: '' };
    keepAttributes(known);
    return { ...unknown, isGroup: true, known };
  };
  if (!parent) return groupOf(root, undefined);
  if (!parent.known) return unknown;
  const { group, shape: outer, path: above } = parent.known;
  const path = above === '' ? local : `${above}/${local}`;
  const inner = outer.groups.get(path);
  if (inner) return groupOf(inner, group);
  if (!outer.known.has(path)) return unknown;
  const known = { group, shape: outer, path };
  keepAttributes(known);
  return { ...unknown, isKept: outer.texts.has(path), known };
}

function keep({ texts }: Group, path: string, text: string): void {
  const earlier = texts.get(path);
  if (earlier) earlier.push(text);
  else texts.set(path, [text]);
}

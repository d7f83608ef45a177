/** Schemas with a title, wherever they stand in the document, become components of that name. */
import { isDeepStrictEqual } from 'node:util';
import type { Node } from './operation-object';

interface Document extends Node {
  components: Node & { schemas: Node };
}

/** What stands below these keys is shown, and no part of the document. */
const data: readonly string[] = ['example', 'examples', 'default', 'enum', 'const', 'info'];

/** The document with each titled schema in one place, which others refer to. Throws where two have one title. */
export function withNamedSchemas({ components, ...document }: Document): Node {
  const named: Node = {};

  function referring(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(referring);
    if (typeof node !== 'object' || node === null) return node;
    const inner = referringBelow(node);
    const { title } = inner;
    if (typeof title !== 'string') return inner;
    if (title in named && !isDeepStrictEqual(named[title], inner))
      throw new Error(`Two schemas are ${title}`);
    named[title] = inner;
    return { $ref: `#/components/schemas/${title}` };
  }

  function referringBelow(node: object): Node {
    return Object.fromEntries(
      Object.entries(node).map(([key, value]) => [
        key,
        data.includes(key) ? (value as unknown) : referring(value),
      ]),
    );
  }

  const { schemas, ...others } = components;
  const whole = referringBelow(document);
  referringBelow(schemas);
  const sorted = Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...whole, components: { ...others, schemas: Object.fromEntries(sorted) } };
}

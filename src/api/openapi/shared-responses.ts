/** The responses that stand more than once in a document become components. docs/developers/api-reference.md. */
import { isDeepStrictEqual } from 'node:util';
import { commonResponses, type Node } from './operation-object';

interface Response {
  description: string;
  content?: Readonly<Record<string, { examples?: Readonly<Record<string, { value: ErrorExample }>> }>>;
}

interface ErrorExample {
  error: { code: string; message: string; param?: string };
}

/** The operations of `paths` or `webhooks`, by path or event, and by method. */
type Operations = Readonly<Record<string, Readonly<Record<string, Node>>>>;

/**
 * Refers to each response that stands more than once, and adds it to the components. Throws if its name is also that of another response,
 * or of a schema: some generators make one type of both.
 */
export function withSharedResponses<Document extends { components: Node & { schemas: Node } }>(
  document: Document,
): Document {
  const counts = new Map<string, number>();
  withEachResponse(document, (response) => {
    const text = JSON.stringify(response);
    counts.set(text, (counts.get(text) ?? 0) + 1);
    return response;
  });
  const { schemas } = document.components;
  const shared: Record<string, Response> = {};
  const referring = withEachResponse(document, (response) => {
    if (counts.get(JSON.stringify(response)) === 1) return response;
    const name = nameOf(response);
    if (name in schemas || !isDeepStrictEqual(shared[name] ?? response, response))
      throw new Error(`Another component has the name of the response ${name}: change its first message`);
    shared[name] = response;
    return { $ref: `#/components/responses/${name}` };
  });
  const responses = Object.fromEntries(Object.entries(shared).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { ...referring, components: { ...document.components, responses } };
}

function withEachResponse<Document extends object>(
  document: Document,
  change: (response: Response) => object,
): Document {
  const changed = (operations: Operations): Operations =>
    valuesOf(operations, (methods) =>
      valuesOf(methods, ({ responses, ...operation }) => ({
        ...operation,
        responses: valuesOf(responses as Readonly<Record<string, Response>>, change),
      })),
    );
  const { paths, webhooks } = document as { paths: Operations; webhooks?: Operations };
  return { ...document, paths: changed(paths), ...(webhooks && { webhooks: changed(webhooks) }) };
}

function valuesOf<Value, Changed>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value) => Changed,
): Record<string, Changed> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

const commonNames = new Map(
  Object.entries(commonResponses).map(([name, response]) => [JSON.stringify(response), name]),
);

/**
 * The name of a common response, or what the response says: `Order not found` is `OrderNotFound`, and with another code
 * `OrderNotFoundOrInvalidFeature`.
 */
function nameOf(response: Response): string {
  const { description, content = {} } = response;
  const examples = Object.values(content['application/json']?.examples ?? {});
  const [first, ...others] = examples.map(({ value: { error } }) => error);
  const said = first ? nameOfError(first) : inOneWord(description);
  const own = [said, ...others.map(({ code }) => inOneWord(code))].join('Or');
  return commonNames.get(JSON.stringify(response)) ?? own;
}

/** The parameter tells apart errors about a resource in the path and in the request. */
function nameOfError({ message, param = 'id' }: ErrorExample['error']): string {
  const isNamed = param === 'id' || message.includes(param);
  return isNamed ? inOneWord(message) : `${inOneWord(message)}In${inOneWord(param)}`;
}

/** The words of the first clause without numbers: `The order is PENDING: it has no eSIM` as `TheOrderIsPending`. */
function inOneWord(text: string): string {
  const words = /^[^.:]*/.exec(text)?.[0].match(/[A-Za-z]+/g) ?? [];
  return words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1).toLowerCase()}`).join('');
}

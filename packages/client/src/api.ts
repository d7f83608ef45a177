/** Calls by path, with the types of the API's OpenAPI document. */
import { readContent, type ConditionalOptions, type NotModified, type Read } from './conditional.ts';
import { DigitalGoodsError } from './errors.ts';
import { List, pageOf, type Page, type Place } from './pages.ts';
import type { paths } from './schema.ts';
import type { CallOptions, Repeat, Transport } from './transport.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths that have an operation of the method. */
type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Readonly<Record<M, object>> ? P : never;
}[keyof paths];

type Operation<P extends keyof paths, M extends Method> = NonNullable<paths[P][M]>;

/** The body of an operation's successful response. */
export type Answer<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { responses: infer Responses }
    ? {
        [S in keyof Responses]: Responses[S] extends { content: { 'application/json': infer Body } } ? Body : undefined;
      }[keyof Responses]
    : never;

/** The body of an operation's request. */
export type Body<P extends keyof paths, M extends Method> = JsonOf<
  NonNullable<(Operation<P, M> & { requestBody?: unknown })['requestBody']>
>;

/** The brackets keep `never`, the content of an operation without a body. */
type JsonOf<Content> = [Content] extends [{ content: { 'application/json': infer Given } }]
  ? [Content] extends [never]
    ? never
    : Given
  : never;

/** The query parameters of a list, except `page`. */
export type Query<P extends keyof paths> =
  Operation<P, 'get'> extends { parameters: { query?: infer Given } } ? Omit<NonNullable<Given>, 'page'> : never;

/** The values of a path's parameters. */
export type InPath = Readonly<Record<string, string | number>>;

/** The items of a list. */
export type Item<P extends keyof paths> =
  Answer<P, 'get'> extends readonly (infer Each extends { id: unknown })[] ? Each : never;

/** Items on a page if the caller does not set a size. */
const PAGE_SIZE = 100;

export class Api {
  constructor(readonly transport: Transport) {}

  /** Sends GET. */
  async get<P extends PathOf<'get'>>(
    path: P,
    inPath: InPath,
    options: CallOptions & { query?: object; timeoutMs?: number } = {},
  ): Promise<Answer<P, 'get'>> {
    const { timeoutMs, ...call } = options;
    return this.send({ method: 'GET', path: filled(path, inPath), ...call }, 'always', timeoutMs);
  }

  /** Sends GET to an operation whose response has an `ETag`. */
  async read<P extends PathOf<'get'>, Options extends ConditionalOptions>(
    path: P,
    inPath: InPath,
    options?: Options,
  ): Promise<Read<Answer<P, 'get'> & object, Options>> {
    const call = { method: 'GET', path: filled(path, inPath) } as const;
    const read = await readContent(
      options ?? {},
      (given) => this.transport.call({ ...given, ...call }, 'always'),
      ({ body }) => body as Answer<P, 'get'> & object,
    );
    return read as Read<Answer<P, 'get'> & object, Options>;
  }

  /** Sends an operation that is not a read. */
  async act<M extends Exclude<Method, 'get'>, P extends PathOf<M>>(
    method: M,
    path: P,
    { inPath = {}, body }: { inPath?: InPath; body?: Body<P, M> & object },
    repeat: Repeat,
    options: CallOptions = {},
  ): Promise<Answer<P, M>> {
    const name = method.toUpperCase() as Uppercase<M>;
    return this.send({ ...options, method: name, path: filled(path, inPath), body }, repeat);
  }

  /** Returns the list at the path. */
  list<P extends PathOf<'get'>>(path: P, query: Query<P>, options: CallOptions = {}): List<Item<P>> {
    return listAt(this.transport, path, query, options, { keyOf: ({ id }) => id });
  }

  /** Returns the list at the path, whose parts can begin at an item (`before_id`). */
  positionedList<P extends PathOf<'get'>>(path: P, query: Query<P>, options: CallOptions = {}): List<Item<P>> {
    return listAt(this.transport, path, query, options, { keyOf: ({ id }) => id, hasPositions: true });
  }

  private async send<T>(...call: Parameters<Transport['call']>): Promise<T> {
    const { body } = await this.transport.call(...call);
    return body as T;
  }
}

interface ListTraits<Each> {
  keyOf: (item: Each) => unknown;
  /** Whether an error means an empty list. */
  isEmpty?: (error: unknown) => boolean;
  /** Whether `before_id` and `after_id` select parts of the list. */
  hasPositions?: boolean;
}

/** Returns the list at the path. */
export function listAt<Each>(
  transport: Transport,
  path: string,
  query: object,
  options: CallOptions,
  { keyOf, isEmpty = () => false, hasPositions = false }: ListTraits<Each>,
): List<Each> {
  const read = async (place: Place, own: ConditionalOptions = {}): Promise<Page<Each> | NotModified> => {
    const call = { method: 'GET', path, query: { ...sized(query), ...place } } as const;
    try {
      return await readContent(
        { ...options, ...own },
        (given) => transport.call({ ...given, ...call }, 'always'),
        ({ body, headers }) => pageOf(body as Each[], headers),
      );
    } catch (error) {
      if (!isEmpty(error)) throw error;
      return { items: [], page: 'page' in place ? place.page : 0, totalCount: 0, totalPages: 0, hasMore: false };
    }
  };
  const after = new Map<string, unknown>(Object.entries(query)).get('after_id');
  const onwards = after === undefined ? 'before_id' : 'after_id';
  return new List(read, { keyOf, ...(hasPositions && { onwards }) });
}

/** Fills in the parameters of a path. Throws if a value would lead to another path. */
export function filled(path: string, inPath: InPath): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(inPath[name]);
    // URLs drop segments of dots, and some proxies decode an encoded slash.
    if (/^\.{0,2}$|[/\\]/.test(value)) throw new DigitalGoodsError(`${name} is not valid: ${JSON.stringify(value)}`);
    return encodeURIComponent(value);
  });
}

function sized(query: object): object {
  return 'limit' in query || 'per_page' in query ? query : { ...query, per_page: PAGE_SIZE };
}

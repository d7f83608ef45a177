/** The statements of the sources: their texts, the declared type of their rows, and the type of their values. */
import ts from 'typescript';
import { Bindings } from './bindings';
import { Evaluation, OpenParameter, type Frames } from './evaluation';
import { rowsIn } from './column-types';
import { enclosingFunction, ownerOf, placeOf, type Call, type Callable, type Sources } from './sources';

/** A statement call with its texts. A call in a function that gets the text, or the type of the rows, is read for each of its callers. */
export interface Statement {
  /** The function around the call. */
  owner: string;
  place: string;
  /** One for each value of what the text depends on. */
  texts: readonly string[];
  /** The declared type of a row; undefined if the rows are not read. */
  row: ts.Type | undefined;
  bindings: Bindings;
}

/** A call whose text is unknown before it runs. */
export interface Unread {
  owner: string;
  place: string;
  because: string;
}

/** Callers of callers, at most. */
const MAX_FRAMES = 4;

export class Statements {
  readonly read: Statement[] = [];
  readonly unread: Unread[] = [];
  readonly #evaluation: Evaluation;

  constructor(private readonly sources: Sources) {
    this.#evaluation = new Evaluation(sources);
    for (const { call, returnsRows } of sources.statementCalls()) this.#read(call, returnsRows, []);
  }

  #read(call: ts.CallExpression, returnsRows: boolean, frames: Frames): void {
    const at = { owner: ownerOf(call), place: [call, ...frames.map((frame) => frame.call)].map(placeOf).join(' < ') };
    try {
      const texts = this.#textsOf(call, frames);
      const owner = this.#ownerOf(call, returnsRows, frames, texts);
      if (owner !== undefined) throw new OpenParameter(owner);
      this.read.push({
        ...at,
        texts: [...new Set(texts)],
        row: returnsRows ? this.#rowOf(call, frames) : undefined,
        bindings: new Bindings(this.sources.checker, this.#evaluation, call, frames),
      });
    } catch (error) {
      if (error instanceof OpenParameter && this.#readCallers(call, returnsRows, frames, error.callable)) return;
      this.unread.push({ ...at, because: error instanceof Error ? error.message : String(error) });
    }
  }

  /** The function whose callers decide the text or the type of the rows, if there is one. Throws if a value that is read decides the text. */
  #ownerOf(call: ts.CallExpression, returnsRows: boolean, frames: Frames, texts: readonly string[]) {
    const unknown = texts.flatMap((text) => this.#evaluation.samples.ownersIn(text));
    if (unknown.includes(undefined)) throw new Error('a value that is read decides its text');
    const generic = returnsRows ? this.#genericOwner(call, frames) : undefined;
    return generic ?? unknown[0];
  }

  #textsOf(call: ts.CallExpression, frames: Frames): string[] {
    const [, text] = call.arguments;
    if (!text) throw new Error('it has no text');
    return this.#evaluation.valuesOf([text], frames).map(([value]) => {
      if (typeof value !== 'string') throw new Error('its text is no text');
      return value;
    });
  }

  /** Reads the call for each call of the function around it. False if these calls are unknown. */
  #readCallers(call: ts.CallExpression, returnsRows: boolean, frames: Frames, callable: Callable): boolean {
    const calls = this.sources.callsOf(callable);
    const isKnown = frames.some((frame) => frame.callable === callable);
    if (calls.length === 0 || frames.length === MAX_FRAMES || isKnown) return false;
    for (const caller of calls) this.#read(call, returnsRows, [...frames, { callable, call: caller }]);
    return true;
  }

  /** The function whose callers decide the type of the rows, unless one of the frames is its call. */
  #genericOwner(call: ts.CallExpression, frames: Frames): Callable | undefined {
    const row = this.#ownRowOf(call);
    const owner = row && !isIndexed(row) && this.#parametersIn(row, call)[0];
    return owner && !frames.some((frame) => frame.callable === owner) ? owner : undefined;
  }

  /** The functions around the call with a type parameter that the type names. */
  #parametersIn(type: ts.Type, call: ts.Node): Callable[] {
    const text = this.sources.checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
    const around: Callable[] = [];
    for (let each = enclosingFunction(call); each; each = enclosingFunction(each)) around.push(each);
    return around.filter(({ typeParameters = [] }) =>
      typeParameters.some(({ name }) => new RegExp(`\\b${name.text}\\b`).test(text)),
    );
  }

  #ownRowOf(call: ts.CallExpression): ts.Type | undefined {
    const { checker } = this.sources;
    const signature = checker.getResolvedSignature(call);
    return signature && checker.getTypeArgumentsForResolvedSignature(signature)?.[0];
  }

  /** The row type; undefined if it declares no property. In a generic function, that of what the function returns to its caller. */
  #rowOf(call: ts.CallExpression, frames: Frames): ts.Type | undefined {
    const own = this.#ownRowOf(call);
    const [generic] = own ? this.#parametersIn(own, call) : [];
    const frame = frames.find(({ callable }) => callable === generic);
    const row = frame ? this.#returnedRow(frame.call, own) : own && this.#possible(own);
    return row && rowsIn(row).some((each) => each.getProperties().length > 0) ? row : undefined;
  }

  /** Of a row such as `RowOf[Family]` with any family: all of them. */
  #possible(row: ts.Type): ts.Type {
    return isIndexed(row) ? (this.sources.checker.getBaseConstraintOfType(row) ?? row) : row;
  }

  #returnedRow(call: Call, own: ts.Type | undefined): ts.Type | undefined {
    const { checker } = this.sources;
    const signature = checker.getResolvedSignature(call);
    const [given] = (signature && checker.getTypeArgumentsForResolvedSignature(signature)) ?? [];
    if (own && own.flags & ts.TypeFlags.TypeParameter) return given;
    const returned = signature && checker.getAwaitedType(signature.getReturnType());
    return returned?.getNumberIndexType() ?? (returned && checker.getNonNullableType(returned));
  }
}

const isIndexed = ({ flags }: ts.Type): boolean => (flags & ts.TypeFlags.IndexedAccess) !== 0;

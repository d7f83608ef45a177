/**
 * Evaluates expressions of the sources, such as the text of a statement and its values, without a run of the function around them.
 * What only a run knows has each of the sample values of its type, and what follows from it is computed.
 */
import ts from 'typescript';
import { compiled, readName, requireFrom } from './module-scope';
import { Samples } from './samples';
import { enclosingFunction, type Call, type Callable, type Sources } from './sources';

/** Calls by which an expression is reached, the nearest first: the function and one of its calls. */
export type Frames = readonly { callable: Callable; call: Call }[];

/** A parameter or a local constant, whole, and where it is used. */
type Local = ts.ParameterDeclaration | ts.VariableDeclaration;

/** What a function gets is known only to its callers. */
export class OpenParameter extends Error {
  constructor(readonly callable: Callable) {
    super('the callers that decide its text are not known');
  }
}

interface Free {
  name: string;
  declaration: ts.Declaration;
  at: ts.Node;
}

/** One possible value of each local name. Those of a caller differ from those of the function that it calls. */
type Environment = ReadonlyMap<string, unknown>;

/** The environments of one expression, at most. Beyond, each further value is combined with only one environment. */
const MAX_ENVIRONMENTS = 400;

/** Methods that call their argument with each element. */
const perElement = new Set(['map', 'flatMap', 'forEach', 'filter']);

export class Evaluation {
  readonly samples: Samples;
  readonly #checker: ts.TypeChecker;
  readonly #compiled = new Map<ts.Node, { free: readonly Free[]; run: (...values: unknown[]) => unknown }>();

  constructor(private readonly sources: Sources) {
    this.#checker = sources.checker;
    this.samples = new Samples(sources.checker);
  }

  /** The values that the expressions may have together. Throws if no values can be had. */
  valuesOf(expressions: readonly ts.Node[], frames: Frames): unknown[][] {
    let environments: Environment[] = [new Map()];
    for (const expression of expressions) environments = this.#extended(environments, expression, frames);
    return computed(environments, (environment) => [
      expressions.map((expression) => this.#run(expression, environment, frames)),
    ]);
  }

  /** The environments with all names that the expression needs. */
  #extended(environments: Environment[], expression: ts.Node, frames: Frames): Environment[] {
    let extended = environments;
    for (const { declaration, at } of this.#compile(expression).free) {
      if (ts.isFunctionDeclaration(declaration) && enclosingFunction(declaration)) {
        extended = this.#extended(extended, declaration, frames);
      }
      const local = localOf(declaration);
      if (local) extended = this.#withLocal(extended, local, declaration, at, frames);
    }
    return extended;
  }

  #withLocal(
    environments: Environment[],
    local: Local,
    declaration: ts.Declaration,
    at: ts.Node,
    frames: Frames,
  ): Environment[] {
    const key = keyOf(local, frames);
    if (environments[0]?.has(key)) return environments;
    const samples = this.#samplesOf(local, declaration, at, frames);
    const named = (value: unknown, before: Environment) => new Map([...before, [key, value]]);
    if (samples) return spread(environments, (before) => samples.map((value) => named(value, before)));
    const { expression, frames: outer = frames, isList } = sourceOf(local, frames) ?? {};
    let extended = environments;
    if (expression) extended = this.#extended(extended, expression, outer);
    for (const each of defaultsIn(local)) extended = this.#extended(extended, each, frames);
    return spread(extended, (before) => {
      const value = expression && this.#run(expression, before, outer);
      const values = isList ? [...(value as Iterable<unknown>)] : [value];
      return values.map((each) => named(each, before));
    });
  }

  /** The values of a name that only a run of the function knows; undefined for one that follows from others. */
  #samplesOf(local: Local, declaration: ts.Declaration, at: ts.Node, frames: Frames): unknown[] | undefined {
    const source = sourceOf(local, frames);
    if (source && !(source.expression && hasAwait(source.expression))) return undefined;
    const owner = ts.isParameter(local) && !source ? local.parent : undefined;
    const type = this.#typeOf(local, declaration, at);
    if (owner && type.getStringIndexType() && this.sources.callsOf(owner).length > 0) throw new OpenParameter(owner);
    return this.samples.of(type, owner);
  }

  /** The type of the whole; of a simple name, as it is where the name is used. */
  #typeOf(local: Local, declaration: ts.Declaration, at: ts.Node): ts.Type {
    if (declaration === local) return this.#checker.getTypeAtLocation(at);
    return this.#checker.getTypeAtLocation(local.initializer ?? local.type ?? local);
  }

  #run(expression: ts.Node, environment: Environment, frames: Frames): unknown {
    const { free, run } = this.#compile(expression);
    return run(...free.map((each) => this.#valueOf(each, environment, frames)));
  }

  #valueOf({ name, declaration }: Free, environment: Environment, frames: Frames): unknown {
    const file = declaration.getSourceFile().fileName;
    if (ts.isImportSpecifier(declaration)) {
      const module = requireFrom(file, specifierOf(declaration)) as Record<string, unknown>;
      return module[(declaration.propertyName ?? declaration.name).text];
    }
    const local = localOf(declaration);
    if (local) return this.#partOf(environment.get(keyOf(local, frames)), declaration, environment, frames);
    if (ts.isFunctionDeclaration(declaration) && enclosingFunction(declaration))
      return this.#run(declaration, environment, frames);
    return readName(file, name);
  }

  /** The part of a value that a pattern gives a name. */
  #partOf(value: unknown, declaration: ts.Declaration, environment: Environment, frames: Frames): unknown {
    if (!ts.isBindingElement(declaration)) return value;
    const { parent: pattern } = declaration;
    const part = partOf(this.#partOf(value, pattern.parent, environment, frames), declaration, pattern);
    return part === undefined && declaration.initializer
      ? this.#run(declaration.initializer, environment, frames)
      : part;
  }

  #compile(expression: ts.Node) {
    const known = this.#compiled.get(expression);
    if (known) return known;
    const free = this.#freeNames(expression);
    const run = compiled(
      expression.getText(),
      free.map(({ name }) => name),
    );
    const fresh = { free, run };
    this.#compiled.set(expression, fresh);
    return fresh;
  }

  /** The names of the expression that are declared outside of it, except those of the language. */
  #freeNames(expression: ts.Node): Free[] {
    const found = new Map<string, Free>();
    const visit = (node: ts.Node): void => {
      if (ts.isTypeNode(node)) return;
      if (ts.isIdentifier(node)) {
        const declaration = this.#declarationOf(node);
        if (declaration && !isWithin(declaration, expression))
          found.set(node.text, { name: node.text, declaration, at: node });
      }
      ts.forEachChild(node, visit);
    };
    visit(expression);
    return [...found.values()];
  }

  #declarationOf(node: ts.Identifier): ts.Declaration | undefined {
    const { parent } = node;
    if (ts.isPropertyAccessExpression(parent) && parent.name === node) return undefined;
    if (ts.isPropertyAssignment(parent) && parent.name === node) return undefined;
    if (ts.isBindingElement(parent) && parent.propertyName === node) return undefined;
    const symbol = ts.isShorthandPropertyAssignment(parent)
      ? this.#checker.getShorthandAssignmentValueSymbol(parent)
      : this.#checker.getSymbolAtLocation(node);
    const declaration = symbol?.declarations?.[0];
    return declaration?.getSourceFile() === node.getSourceFile() ? declaration : undefined;
  }
}

/** The parameter or local constant that gives the name; undefined for a name of the module. */
function localOf(declaration: ts.Declaration): Local | undefined {
  if (!enclosingFunction(declaration)) return undefined;
  let local: ts.Node = declaration;
  while (ts.isBindingElement(local)) local = local.parent.parent;
  return ts.isParameter(local) || ts.isVariableDeclaration(local) ? local : undefined;
}

const keyOf = (local: Local, frames: Frames): string =>
  `${local.getSourceFile().fileName} ${local.pos} ${frames.length}`;

interface Source {
  expression: ts.Expression | undefined;
  /** Whether the name has the elements of the value one by one. */
  isList?: boolean;
  frames?: Frames;
}

/** Where a name has its value from; undefined if only a run knows. */
function sourceOf(local: Local, frames: Frames): Source | undefined {
  return ts.isParameter(local) ? argumentOf(local, frames) : initializerOf(local);
}

/** What the caller gives for a parameter; undefined without a known caller. */
function argumentOf(parameter: ts.ParameterDeclaration, frames: Frames): Source | undefined {
  const callable = parameter.parent;
  const index = callable.parameters.indexOf(parameter);
  const frame = frames.findIndex((each) => each.callable === callable);
  const call = frames[frame]?.call;
  const given = call?.arguments?.[index];
  if (given) return { expression: given, frames: frames.slice(frame + 1) };
  if (call) return { expression: parameter.initializer };
  const list = index === 0 ? listOf(callable) : undefined;
  return list && { expression: list, isList: true };
}

function initializerOf(variable: ts.VariableDeclaration): Source | undefined {
  const loop = variable.parent.parent;
  if (ts.isForOfStatement(loop)) return { expression: loop.expression, isList: true };
  return variable.initializer && { expression: variable.initializer };
}

/** The values that a pattern gives to absent parts. */
function defaultsIn(local: Local): ts.Expression[] {
  const defaults: ts.Expression[] = [];
  const visit = (name: ts.BindingName): void => {
    if (ts.isIdentifier(name)) return;
    for (const element of name.elements) {
      if (!ts.isBindingElement(element)) continue;
      if (element.initializer) defaults.push(element.initializer);
      visit(element.name);
    }
  };
  visit(local.name);
  return defaults;
}

/** What the work returns for each environment, except where it throws. Throws if it always does. */
function computed<Result>(
  environments: readonly Environment[],
  work: (environment: Environment) => readonly Result[],
): Result[] {
  const found: Result[] = [];
  let failure: unknown = new Error('it has no value');
  for (const environment of environments) {
    try {
      found.push(...work(environment));
    } catch (error) {
      failure = error;
    }
  }
  if (found.length === 0) throw failure;
  return found;
}

/** Each environment with each of its values, or, of too many, the further values in one environment only. */
function spread(environments: readonly Environment[], work: (environment: Environment) => Environment[]) {
  let count = 0;
  return computed(environments, (environment) => {
    const found = work(environment);
    const kept = count + found.length > MAX_ENVIRONMENTS ? found.slice(0, 1) : found;
    count += kept.length;
    return kept;
  });
}

function partOf(whole: unknown, element: ts.BindingElement, pattern: ts.BindingPattern): unknown {
  if (ts.isArrayBindingPattern(pattern)) {
    const index = pattern.elements.indexOf(element);
    return element.dotDotDotToken ? (whole as unknown[]).slice(index) : (whole as unknown[])[index];
  }
  const named = (each: ts.BindingElement) => (each.propertyName ?? each.name).getText();
  if (!element.dotDotDotToken) return (whole as Record<string, unknown>)[named(element)];
  const taken = new Set(pattern.elements.filter((each) => each !== element).map(named));
  return Object.fromEntries(Object.entries(whole as object).filter(([key]) => !taken.has(key)));
}

/** The list whose elements a function gets one by one, such as `list` in `list.map((element) => ...)`. */
function listOf({ parent }: Callable): ts.Expression | undefined {
  if (!ts.isCallExpression(parent) || !ts.isPropertyAccessExpression(parent.expression)) return undefined;
  const { name, expression } = parent.expression;
  return perElement.has(name.text) ? expression : undefined;
}

function specifierOf(declaration: ts.ImportSpecifier): string {
  const { moduleSpecifier } = declaration.parent.parent.parent as ts.ImportDeclaration;
  return (moduleSpecifier as ts.StringLiteral).text;
}

const isWithin = (node: ts.Node, around: ts.Node): boolean => node.pos >= around.pos && node.end <= around.end;

function hasAwait(node: ts.Node): boolean {
  if (ts.isAwaitExpression(node)) return true;
  if (ts.isFunctionLike(node)) return false;
  return ts.forEachChild(node, hasAwait) ?? false;
}

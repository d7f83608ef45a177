/** The names of the values that a call gives to its statement: by the type of its argument, or else by evaluating it with the text. */
import ts from 'typescript';
import type { Binds } from '../../../src/data/database/binds';
import { withPlaces } from './description';
import type { Evaluation, Frames } from './evaluation';
import { anyNames } from './samples';

/** The names of one alternative, and whether each value may be absent, or undefined. */
type Names = ReadonlyMap<string, { isOptional: boolean; mayBeUndefined: boolean }>;

export class Bindings {
  readonly #argument: ts.Expression | undefined;

  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly evaluation: Evaluation,
    private readonly call: ts.CallExpression,
    private readonly frames: Frames,
  ) {
    this.#argument = call.arguments[2];
  }

  /** What is wrong with the values for these texts; undefined if only a run knows their names. */
  faultsFor(texts: readonly string[]): string[] | undefined {
    const alternatives = this.#argument ? this.#namesOf(this.#argument, this.frames) : [new Map()];
    const faults =
      alternatives &&
      texts.flatMap((text) => {
        const ofEach = alternatives.map((names) => faultsOf(withPlaces(text).names, names));
        return ofEach.some(({ length }) => length === 0) ? [] : (ofEach[0] ?? []);
      });
    return faults?.length === 0 ? faults : (this.#faultsOfEvaluated() ?? faults);
  }

  /** By evaluating the values together with the text, which they may depend on. */
  #faultsOfEvaluated(): string[] | undefined {
    const [, text] = this.call.arguments;
    if (!text || !this.#argument) return undefined;
    try {
      const found = this.evaluation.valuesOf([text, this.#argument], this.frames) as [string, Binds][];
      if (found.some(([, binds]) => anyNames in binds)) return undefined;
      return found.flatMap(([sql, binds]) => {
        const given = Object.entries(binds).map(([name, value]) => {
          return [name, { isOptional: false, mayBeUndefined: value === undefined }] as const;
        });
        return faultsOf(withPlaces(sql).names, new Map(given));
      });
    } catch {
      return undefined;
    }
  }

  /** The names in each member of the type; undefined if it does not tell them. */
  #namesOf(argument: ts.Expression, frames: Frames): Names[] | undefined {
    const given = this.#givenBy(argument, frames);
    const value = given.expression;
    if (ts.isObjectLiteralExpression(value) && value.properties.some(ts.isSpreadAssignment))
      return this.#namesOfParts(value, given.frames);
    const type = this.checker.getTypeAtLocation(value);
    const members = type.isUnion() ? type.types : [type];
    if (members.some((member) => member.getStringIndexType())) return undefined;
    return members.map((member) => new Map(member.getProperties().map((each) => [each.name, this.#optionality(each)])));
  }

  /** The names of an object that spreads others. */
  #namesOfParts(value: ts.ObjectLiteralExpression, frames: Frames): Names[] | undefined {
    let alternatives: Names[] = [new Map()];
    for (const property of value.properties) {
      const names = ts.isSpreadAssignment(property)
        ? this.#namesOf(property.expression, frames)
        : [this.#nameOf(property)];
      if (!names) return undefined;
      alternatives = alternatives.flatMap((before) => names.map((more) => new Map([...before, ...more])));
    }
    return alternatives;
  }

  #nameOf(property: ts.ObjectLiteralElementLike): Names {
    const symbol = property.name && this.checker.getSymbolAtLocation(property.name);
    return symbol ? new Map([[symbol.name, this.#optionality(symbol)]]) : new Map();
  }

  /** What a name stands for: the argument of a caller, or the object of a constant. */
  #givenBy(expression: ts.Expression, frames: Frames): { expression: ts.Expression; frames: Frames } {
    const declaration = this.checker.getSymbolAtLocation(expression)?.valueDeclaration;
    if (declaration && ts.isVariableDeclaration(declaration)) {
      const { initializer } = declaration;
      return {
        expression: initializer && ts.isObjectLiteralExpression(initializer) ? initializer : expression,
        frames,
      };
    }
    const frame = frames.findIndex(({ callable }) => callable === declaration?.parent);
    const call = frames[frame]?.call;
    if (!call || !declaration || !ts.isParameter(declaration)) return { expression, frames };
    const given = call.arguments?.[declaration.parent.parameters.indexOf(declaration)];
    return given ? this.#givenBy(given, frames.slice(frame + 1)) : { expression, frames };
  }

  #optionality(value: ts.Symbol): { isOptional: boolean; mayBeUndefined: boolean } {
    const isOptional = (value.flags & ts.SymbolFlags.Optional) !== 0;
    const type = this.checker.getTypeOfSymbol(value);
    const types = type.isUnion() ? type.types : [type];
    return { isOptional, mayBeUndefined: isOptional || types.some(({ flags }) => flags & ts.TypeFlags.Undefined) };
  }
}

function faultsOf(wanted: readonly string[], given: Names): string[] {
  const missing = wanted.filter((name) => !given.has(name));
  const surplus = [...given].filter(([name, { isOptional }]) => !wanted.includes(name) && !isOptional);
  const uncertain = wanted.filter((name) => given.get(name)?.mayBeUndefined);
  return [
    ...missing.map((name) => `$${name} has no value`),
    ...surplus.map(([name]) => `the value ${name} is not in the text`),
    ...uncertain.map((name) => `the value ${name} may be undefined`),
  ];
}

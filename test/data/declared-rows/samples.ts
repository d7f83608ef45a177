/** Values of a type, for what only a run of the program knows: each flag, each member of a union, an absent and a present field. */
import ts from 'typescript';
import type { Callable } from './sources';

/** Fields that are nested deeper stay empty. */
const MAX_DEPTH = 3;
const MAX_VALUES = 100;

/** The key of an object whose names only a run knows. Objects that spread it have the key, too. */
export const anyNames = Symbol('any names');

export class Samples {
  readonly #owners: (Callable | undefined)[] = [];

  constructor(private readonly checker: ts.TypeChecker) {}

  /** Values of the type. A text of any value is one that `ownersIn` finds again. `owner`: the function that gets the value. */
  of(type: ts.Type, owner: Callable | undefined): unknown[] {
    return this.#of(type, owner, 0).slice(0, MAX_VALUES);
  }

  /** The functions whose callers decide a part of the text; undefined for a part that no caller decides. */
  ownersIn(text: string): (Callable | undefined)[] {
    return Array.from(text.matchAll(/sampled_(\d+)_text/g), ([, index]) => this.#owners[Number(index)]);
  }

  #anyText(owner: Callable | undefined): string {
    if (!this.#owners.includes(owner)) this.#owners.push(owner);
    return `sampled_${this.#owners.indexOf(owner)}_text`;
  }

  #of(type: ts.Type, owner: Callable | undefined, depth: number): unknown[] {
    const { flags } = type;
    if (type.isUnion()) return type.types.flatMap((member) => this.#of(member, owner, depth));
    if (type.isStringLiteral() || type.isNumberLiteral()) return [type.value];
    if (flags & ts.TypeFlags.BooleanLiteral) return [this.checker.typeToString(type) === 'true'];
    if (flags & ts.TypeFlags.BooleanLike) return [true, false];
    if (flags & ts.TypeFlags.NumberLike) return [1];
    if (flags & ts.TypeFlags.BigIntLike) return [1n];
    if (flags & ts.TypeFlags.Null) return [null];
    if (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) return [undefined];
    if (flags & ts.TypeFlags.StringLike) return [this.#anyText(owner)];
    if (type.isIntersection() && type.types.some(({ flags: each }) => each & ts.TypeFlags.StringLike))
      return [this.#anyText(owner)];
    if (flags & ts.TypeFlags.TypeParameter) {
      const constraint = this.checker.getBaseConstraintOfType(type);
      return constraint ? this.#of(constraint, owner, depth) : [{}];
    }
    return this.#ofObject(type, owner, depth);
  }

  #ofObject(type: ts.Type, owner: Callable | undefined, depth: number): unknown[] {
    const name = type.symbol?.name;
    if (name === 'Date') return [new Date(0)];
    if (name === 'Buffer' || name === 'Uint8Array') return [Buffer.alloc(0)];
    if (type.getCallSignatures().length > 0) return [() => this.#anyText(owner)];
    const element = type.getNumberIndexType();
    if (element) {
      const all = this.#of(element, owner, depth);
      return all.length > 1 ? [all.slice(0, 1), all] : [all];
    }
    if (type.getStringIndexType()) return [{ [anyNames]: true }];
    if (depth === MAX_DEPTH || isOfLibrary(type)) return [{}];
    return this.#ofFields(type, owner, depth);
  }

  /** All fields present, all optional ones absent, and each other value of each field. */
  #ofFields(type: ts.Type, owner: Callable | undefined, depth: number): unknown[] {
    const fields = this.checker.getPropertiesOfType(type).map((field) => {
      const values = this.#of(this.checker.getTypeOfSymbol(field), owner, depth + 1);
      const isOptional = (field.flags & ts.SymbolFlags.Optional) !== 0;
      const given = values.filter((value) => value !== undefined);
      const absent = isOptional || given.length < values.length ? [undefined] : [];
      return { name: field.name, values: [...given, ...absent] };
    });
    const full = Object.fromEntries(fields.map(({ name, values }) => [name, values[0]]));
    const least = Object.fromEntries(fields.map(({ name, values }) => [name, values.at(-1)]));
    const changed = fields.flatMap(({ name, values }) => [
      ...values.slice(1).map((value) => ({ ...full, [name]: value })),
      ...values.slice(0, -1).map((value) => ({ ...least, [name]: value })),
    ]);
    return [full, least, ...changed];
  }
}

/** Whether the type is a class or an interface of a library, such as a connection. */
function isOfLibrary(type: ts.Type): boolean {
  if (!type.isClassOrInterface()) return false;
  return type.symbol.declarations?.[0]?.getSourceFile().isDeclarationFile ?? false;
}

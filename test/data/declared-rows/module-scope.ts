/** What the names of a module stand for, also those that it does not export. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import { transformSync, type Options } from '@swc/core';

const toScript: Options = { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } };

type Read = (name: string) => unknown;

const scopes = new Map<string, Read>();

/** The value of a name at the top of the module. Its first use evaluates the module once more, by its source. */
export function readName(file: string, name: string): unknown {
  const known = scopes.get(file) ?? open(file);
  scopes.set(file, known);
  return known(name);
}

function open(file: string): Read {
  const { code } = transformSync(readFileSync(file, 'utf8'), { ...toScript, filename: file });
  const module = { exports: {} as Record<string, unknown> };
  const evaluate = compileFunction(
    `${code}\nreturn (name) => eval(name);`,
    ['exports', 'require', 'module', '__dirname'],
    { filename: `${file}#scope` },
  ) as (...values: unknown[]) => Read;
  return evaluate(module.exports, (specifier: string) => requireFrom(file, specifier), module, dirname(file));
}

/** The module that the file imports by this specifier. */
export function requireFrom(file: string, specifier: string): unknown {
  // eslint-disable-next-line typescript/no-require-imports
  return require(specifier.startsWith('.') ? join(dirname(file), specifier) : specifier) as unknown;
}

/** A function of these names that returns the value of the expression, which may have types. */
export function compiled(expression: string, names: readonly string[]): (...values: unknown[]) => unknown {
  const { code } = transformSync(`const value = (${expression});`, { ...toScript, isModule: false });
  return compileFunction(`${code}\nreturn value;`, [...names], {}) as (...values: unknown[]) => unknown;
}

/** The sources as the compiler reads them: their calls, and what a name stands for. */
import { join } from 'node:path';
import ts from 'typescript';
import { repositoryFiles, root } from '../../documents/documents';

export type Call = ts.CallExpression | ts.NewExpression;
export type Callable = ts.SignatureDeclaration;

/** The functions of `database.ts` that run a statement; the value says whether they return its rows. */
const statementFunctions: ReadonlyMap<string, boolean> = new Map([
  ['rows', true],
  ['firstRow', true],
  ['oneRow', true],
  ['unpreparedRows', true],
  ['hasRow', false],
  ['countRows', false],
]);
const DECLARED_IN = join(root, 'src/data/database/database.ts');

/** A call that runs a statement. */
export interface StatementCall {
  call: ts.CallExpression;
  returnsRows: boolean;
}

export class Sources {
  readonly checker: ts.TypeChecker;
  readonly #calls = new Map<string, Call[]>();

  /** Only the files of `src/data` have statements: docs/decisions/0049-one-way-to-the-database.md. `more`: other files. */
  constructor(more: readonly string[]) {
    const files = repositoryFiles().filter((file) => /^src\/data\/.*\.ts$/.test(file));
    const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file)) as {
      config: { compilerOptions: object };
    };
    const changed = { ...config.compilerOptions, types: ['node'], incremental: false, noEmit: true };
    const { options } = ts.convertCompilerOptionsFromJson(changed, root);
    const host = ts.createCompilerHost(options);
    host.jsDocParsingMode = ts.JSDocParsingMode.ParseNone;
    const program = ts.createProgram(
      [...files, ...more].map((file) => join(root, file)),
      options,
      host,
    );
    this.checker = program.getTypeChecker();
    const own = program.getSourceFiles().filter((file) => !file.isDeclarationFile);
    for (const file of own) this.#index(file);
  }

  #index(node: ts.Node): void {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const name = calleeOf(node)?.text;
      if (name !== undefined) this.#calls.set(name, [...(this.#calls.get(name) ?? []), node]);
    }
    ts.forEachChild(node, (child) => this.#index(child));
  }

  /** The calls that run a statement, except those with which these functions call each other. */
  statementCalls(): StatementCall[] {
    return [...statementFunctions].flatMap(([name, returnsRows]) =>
      (this.#calls.get(name) ?? [])
        .filter(ts.isCallExpression)
        .filter((call) => this.#isOf(call, name) && !isInside(call))
        .map((call) => ({ call, returnsRows })),
    );
  }

  #isOf(call: ts.CallExpression, name: string): boolean {
    const declared = this.declarationOf(calleeOf(call));
    return (
      declared !== undefined &&
      ts.isFunctionDeclaration(declared) &&
      declared.name?.text === name &&
      declared.getSourceFile().fileName === DECLARED_IN
    );
  }

  /** The calls of a function, method or constructor. */
  callsOf(callable: Callable): Call[] {
    const declared = namedDeclarationOf(callable);
    const name = ts.isConstructorDeclaration(callable) ? callable.parent.name : declared?.name;
    if (!declared || !name || !('text' in name)) return [];
    return (this.#calls.get(name.text) ?? []).filter((call) => this.declarationOf(calleeOf(call)) === declared);
  }

  /** The declaration of what a name stands for, also behind an import. */
  declarationOf(name: ts.Node | undefined): ts.Declaration | undefined {
    const symbol = name && this.checker.getSymbolAtLocation(name);
    const named = symbol && symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
    return named?.valueDeclaration;
  }
}

/** The name by which a call names what it calls. */
function calleeOf({ expression }: Call): ts.Identifier | ts.PrivateIdentifier | undefined {
  if (ts.isIdentifier(expression)) return expression;
  if (!ts.isPropertyAccessExpression(expression)) return undefined;
  return expression.name;
}

/** What has the name of a function: itself, its class, or the constant or property with it. */
function namedDeclarationOf(callable: Callable): ts.NamedDeclaration | undefined {
  if (ts.isConstructorDeclaration(callable)) return callable.parent;
  if (callable.name) return callable;
  const { parent } = callable;
  return ts.isVariableDeclaration(parent) || ts.isPropertyDeclaration(parent) ? parent : undefined;
}

/** Whether a call is in the body of one of the functions that run a statement. */
function isInside(call: ts.Node): boolean {
  const around = ts.findAncestor(call, (node): node is ts.FunctionDeclaration => ts.isFunctionDeclaration(node));
  return around?.getSourceFile().fileName === DECLARED_IN && statementFunctions.has(around.name?.text ?? '');
}

/** The place of a node, for people. */
export function placeOf(node: ts.Node): string {
  const file = node.getSourceFile();
  const { line } = file.getLineAndCharacterOfPosition(node.getStart());
  return `${file.fileName.slice(root.length + 1)}:${line + 1}`;
}

/** The name of the function around a node, with its file: it stays when lines move. */
export function ownerOf(node: ts.Node): string {
  const named = ts.findAncestor(
    node,
    (each) =>
      (ts.isFunctionDeclaration(each) || ts.isMethodDeclaration(each) || ts.isVariableDeclaration(each)) &&
      enclosingFunction(each) === undefined,
  ) as ts.NamedDeclaration | undefined;
  const name = named?.name?.getText() ?? '';
  return `${node.getSourceFile().fileName.slice(root.length + 1)} ${name}`;
}

export function enclosingFunction(node: ts.Node): Callable | undefined {
  return ts.findAncestor(node.parent, (each): each is Callable => ts.isFunctionLike(each));
}

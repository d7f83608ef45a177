/**
 * ESLint rule: no code reads an object literal with a key of the type `string`. The literal inherits from Object.prototype, so a key of a
 * caller such as `constructor` or `__proto__` finds a function or an object. `byWord` (src/domain/by-word.ts) makes a table without a
 * prototype; packages use a Map.
 */
import ts from 'typescript';

/** The initial value of a constant, without `as const` and `satisfies`. */
function literalOf(declaration) {
  let value = declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
  while (value && (ts.isAsExpression(value) || ts.isSatisfiesExpression(value))) value = value.expression;
  return value && ts.isObjectLiteralExpression(value) ? value : undefined;
}

/** The object literal that the expression is or names, also by an import. */
function namedLiteral(checker, node) {
  if (ts.isObjectLiteralExpression(node)) return node;
  const symbol = checker.getSymbolAtLocation(node);
  const own = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const literal = literalOf(own?.valueDeclaration);
  // An empty literal collects what our own code writes into it.
  return literal?.properties.length ? literal : undefined;
}

/** Whether the type has every text, and not only words that the compiler knows. */
const isText = (type) =>
  type.isUnionOrIntersection() ? type.types.some(isText) : (type.flags & ts.TypeFlags.String) !== 0;

export const noLiteralLookup = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      inherited: 'A literal inherits names such as `constructor`. Make the table with `byWord` or a Map.',
    },
  },
  create(context) {
    const { program, esTreeNodeToTSNodeMap: nodes } = context.sourceCode.parserServices;
    const checker = program.getTypeChecker();
    return {
      'MemberExpression[computed=true]'({ object, property, loc }) {
        // `table[word as Known]` has the keys that the cast hides.
        const key = property.type === 'TSAsExpression' ? property.expression : property;
        if (isText(checker.getTypeAtLocation(nodes.get(key))) && namedLiteral(checker, nodes.get(object)))
          context.report({ loc, messageId: 'inherited' });
      },
    };
  },
};

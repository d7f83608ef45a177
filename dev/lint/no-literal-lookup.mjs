/**
 * Reports an object literal that can be read with any text, and a key that a cast makes known. The literal inherits from
 * Object.prototype, so a key of a caller such as `constructor` or `__proto__` finds a function or an object. `byWord`
 * (src/domain/by-word.ts) makes a table without a prototype; packages use a Map. The compiler rejects a text as the key of
 * any other literal.
 */

/** Whether a type has every text as a key: `Record<string, T>` or an index signature, also within `Readonly` and the like. */
function hasEveryText(type) {
  if (type?.type === 'TSTypeLiteral') return type.members.some((member) => member.type === 'TSIndexSignature');
  const parameters = type?.typeArguments?.params ?? [];
  return type?.typeName?.name === 'Record' ? parameters[0].type === 'TSStringKeyword' : parameters.some(hasEveryText);
}

export const noLiteralLookup = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      inherited: 'A literal inherits names such as `constructor`. Make the table with `byWord` or a Map.',
      cast: 'The cast hides keys such as `constructor`. Check the key, or make the table with `byWord` or a Map.',
    },
  },
  create: (context) => ({
    VariableDeclarator({ id, init }) {
      // An empty literal collects what our own code writes into it.
      if (
        init?.type === 'ObjectExpression' &&
        init.properties.length > 0 &&
        hasEveryText(id.typeAnnotation?.typeAnnotation)
      )
        context.report({ node: init, messageId: 'inherited' });
    },
    'MemberExpression[computed=true] > TSAsExpression.property'(node) {
      context.report({ node, messageId: 'cast' });
    },
  }),
};

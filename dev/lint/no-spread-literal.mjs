/** Reports a literal that is spread in a literal or a call: its members need no spread. */
export const noSpreadLiteral = {
  meta: { type: 'suggestion', schema: [], messages: { spread: 'Write the members without a spread.' } },
  create(context) {
    const report = (node) => context.report({ node, messageId: 'spread' });
    return {
      'SpreadElement > ObjectExpression.argument': report,
      'SpreadElement > ArrayExpression.argument': report,
      'SpreadElement > TSAsExpression.argument > ArrayExpression.expression': report,
      'SpreadElement > TSAsExpression.argument > ObjectExpression.expression': report,
    };
  },
};

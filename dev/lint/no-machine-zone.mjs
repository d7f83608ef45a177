/**
 * Reports `Date.parse`, Joi's types of times, and a `Date` of anything that is neither clearly a number nor a text with a zone: `Date`
 * reads a text without a zone in the zone of the machine. `src/domain/time.ts` reads it as UTC, and `timeAt` takes milliseconds.
 */
const numeric = /^(Math\.\w+|Date\.(now|UTC)|Number|\w+(\.\w+)*\.getTime)$/;

/** A day is a text in UTC, too. */
const zoned = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/;

function isNumber(node, textOf) {
  if (node.type === 'Literal') return typeof node.value === 'number';
  if (node.type === 'UnaryExpression') return isNumber(node.argument, textOf);
  if (node.type === 'Identifier') return /^NaN$|^ms$|Ms$/.test(node.name);
  if (node.type === 'CallExpression') return numeric.test(textOf(node.callee));
  if (node.type !== 'BinaryExpression') return false;
  // A sum may be a text.
  return node.operator !== '+' || isNumber(node.left, textOf) || isNumber(node.right, textOf);
}

export const noMachineZone = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { text: 'Read the time with src/domain/time.ts: without a zone it is UTC. `timeAt` takes milliseconds.' },
  },
  create(context) {
    const report = (node) => context.report({ node, messageId: 'text' });
    const textOf = (node) => context.sourceCode.getText(node);
    return {
      "MemberExpression[object.name='Date'][property.name='parse']": report,
      "CallExpression[callee.object.name='Joi'][callee.property.name='date']": report,
      "CallExpression[callee.property.name='isoDate']": report,
      "NewExpression[callee.name='Date'][arguments.length>0]"(node) {
        const [first, ...others] = node.arguments;
        if (others.length > 0 || !(zoned.test(first.value) || isNumber(first, textOf))) report(node);
      },
    };
  },
};

/** Reports a session without its settings. docs/decisions/0082-set-what-a-session-needs-after-connecting.md */
export const onlyPreparedSessions = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { bare: 'A session of the program needs its settings: use `clientAt` or `clientWith`.' },
  },
  create(context) {
    const report = (node) => context.report({ node, messageId: 'bare' });
    return {
      "NewExpression[callee.object.name='pg'][callee.property.name='Client']": report,
      "NewExpression[callee.object.name='pg'][callee.property.name='Pool']:not(:has(Property[key.name='Client']))":
        report,
    };
  },
};

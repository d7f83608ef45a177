/** Reports SQL and the database's own methods. docs/decisions/0049-one-way-to-the-database.md: only `src/data` has statements. */
const statement = /^\s*(SELECT|INSERT INTO|UPDATE \w+ SET|DELETE FROM|WITH \w+ AS)\s/;
const methods = ['query', 'model', 'models', 'define'];

export const onlyDataHasSql = {
  meta: { type: 'problem', schema: [], messages: { sql: 'A statement belongs to `src/data`.' } },
  create(context) {
    const report = (node) => context.report({ node, messageId: 'sql' });
    return {
      Literal: (node) => typeof node.value === 'string' && statement.test(node.value) && report(node),
      TemplateElement: (node) => statement.test(node.value.raw) && report(node),
      "MemberExpression[object.name='database']": (node) => methods.includes(node.property.name) && report(node),
    };
  },
};

/** Generates docs/operators/attention.md: every kind of the attention list. docs/developers/api-reference.md. */
import { attentionExplanations } from '../../src/domain/attention/attention-explanations';
import { attentionKinds, resolvingCommands } from '../../src/domain/attention/attention-kinds';

type Subject = (typeof attentionExplanations)[keyof typeof attentionExplanations]['of'];

const introduction = `<!-- \`npm run openapi\` generates this page from \`dev/documents/attention-page.ts\`. -->

# Attention

The attention list is one table in the database. \`npm run ops -- attention\` shows it. A running workflow shows its own entries in
the search attribute \`Attention\`. Most rows disappear when their cause is gone. You remove the others with \`attention settle\`. The
last column is the command that resolves the row, or shows whether the remedy helped.

\`ANSWER_LOST\`, \`GOODS_APART\`, \`PURCHASE_REVERSED\` and \`VALUE_DEVIATES\` have one row for each purchase of an order. Every other kind of
an order has one row for the order.
`;

const sections: Readonly<Record<Subject, string>> = {
  order: `## Orders

In the Temporal UI, the workflow of an open order shows its kinds. After the order has ended, only the ops CLI shows them.
`,
  supplier: `## Suppliers

A supplier has no workflow. In the Temporal UI, the view "By supplier" shows the waiting orders.
`,
  endpoint: `## Webhook endpoints

In the Temporal UI, the workflow \`webhook-endpoint-...\` shows the kinds of its endpoint.
`,
  service: `## The service

Only the ops CLI shows these kinds.
`,
};

export function attentionPage(): string {
  const tables = Object.entries(sections).map(([subject, heading]) => {
    const rows = attentionKinds
      .filter((kind) => attentionExplanations[kind].of === subject)
      .map((kind) => {
        const { meaning, action } = attentionExplanations[kind];
        const command = resolvingCommands[kind].replaceAll('|', '\\|');
        return `| \`${kind}\` | ${meaning} | ${action} | \`${command}\` |`;
      });
    return [heading, '| kind | meaning | what to do | command |', '|---|---|---|---|', ...rows, ''].join('\n');
  });
  return [introduction, ...tables].join('\n');
}

/** The code blocks of documents are valid in their language. */
import ts from 'typescript';
import { codeBlocks, documents, type CodeBlock } from './documents';

const blocks = documents.flatMap(codeBlocks).map((block) => [`${block.file}:${block.line}`, block] as const);
const written = (language: string) => blocks.filter(([, block]) => block.language === language);

test('When blocks are counted by language, then a test checks every language', () => {
  const languages = new Set(blocks.map(([, { language }]) => language));
  // Blocks without a language are trees of folders; SQL is run by operators-commands.test.ts, CSV by catalogue-csv.test.ts,
  // Go by npm run test:more -- generators.
  expect([...languages].sort()).toEqual(['', 'csv', 'go', 'js', 'json', 'mermaid', 'python', 'sh', 'sql', 'ts']);
});

test.each(written('json'))('When the JSON at %s is parsed, then it parses', (_place, { code }) => {
  expect(() => JSON.parse(code) as unknown).not.toThrow();
});

// TypeScript is compiled with its types by test/client/package.component.test.ts.
test.each([...written('js'), ...written('ts')])(
  'When the code at %s is compiled, then it compiles',
  (_place, { code }) => {
    const { diagnostics } = ts.transpileModule(code, { reportDiagnostics: true });
    expect(diagnostics?.map(({ messageText }) => messageText)).toEqual([]);
  },
);

const diagramKinds = /^(sequenceDiagram|stateDiagram-v2|flowchart \w+)\n/;

test.each(written('mermaid'))('When the diagram at %s is read, then it has an allowed type', (_place, block) => {
  expect(block.code).toMatch(diagramKinds);
  expect(opened(block)).toBe(0);
  // In a sequence it ends the statement, and what follows is none.
  if (block.code.startsWith('sequenceDiagram')) expect(block.code).not.toContain(';');
});

/** Unclosed braces, for which a renderer shows an error instead of the diagram. */
function opened({ code }: CodeBlock): number {
  return code.split('{').length - code.split('}').length;
}

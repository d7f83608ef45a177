/**
 * A guard chooses files by their paths. One that named a folder that has moved would find no file, and pass. So every path of `src` that
 * a test or a tool names, also in a regular expression, is that of a file or folder, or begins one.
 */
import { repositoryFiles, textOf } from './documents';

const files = repositoryFiles();
/** A class of the Java client, in its own folder. */
const elsewhere = ['src/main/java/Orders.java'];

function pathsIn(text: string): string[] {
  const named = text.matchAll(/(?<![\w/.@-])src(?:\\?\/(?:[\w-]|\\?\.\w)+)+/g);
  // The compiled file of a source ends with `.js`.
  return Array.from(named, ([path]) => path.replaceAll('\\', '').replace(/\.js$/, '.ts'));
}

test('When a test or a tool names a source, then it exists', () => {
  const naming = files.filter((file) =>
    /^(?!test\/replay\/histories)(test|dev|deploy|jest|\.oxlintrc)\b.*\.(ts|mjs|json|txt)$/.test(file),
  );
  const missing = naming
    .flatMap((file) => pathsIn(textOf(file)).map((path) => [file, path] as const))
    .filter(([, path]) => !elsewhere.includes(path) && !files.some((file) => file.startsWith(path)));
  expect(missing).toEqual([]);
});

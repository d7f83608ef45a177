/**
 * Reports an import of a part that the importing part may not know. docs/developers/architecture.md. Tests know every part, the
 * benchmarks and generators of documents every part but the tests.
 */
import { dirname, join, relative, sep } from 'node:path';

/** Each part of the service, and what it may import. Imports point one way: towards the domain. */
const base = ['src/async', 'src/domain', 'src/tracing'];
const middle = [
  ...base,
  'src/security',
  'src/temporal',
  'src/data',
  'src/catalogue',
  'src/notifications',
  'src/ordering',
];
const everywhere = ['src/settings', 'src/process'];
/** What each part may import besides itself, and besides what all parts import. */
export const parts = {
  // Keys as `src/security` has them, and networks as the domain does.
  'src/settings': [...base, 'src/security'],
  // The log and the ids of the current work.
  'src/process': [],
  'src/async': [],
  'src/domain': ['src/async'],
  'src/tracing': [],
  'src/security': base,
  // What every door of every process checks.
  'src/http': base,
  'src/temporal': [...base, 'src/security'],
  'src/data': [...base, 'src/security'],
  // The adapters. Only the composition of a process knows them: all others know the port, which is in the domain.
  'src/suppliers': base,
  'src/catalogue': [...base, 'src/data'],
  'src/notifications': [...base, 'src/security', 'src/temporal', 'src/data'],
  'src/ordering': middle,
  'src/statements': [...base, 'src/data'],
  'src/identity': [...base, 'src/data', 'src/notifications', 'src/http'],
  'src/metrics': [...base, 'src/data', 'src/http'],
  // Built pages, as both processes with pages serve them.
  'src/page-files': ['src/domain', 'src/http'],
  'src/api': [
    ...middle,
    'src/suppliers',
    'src/http',
    'src/metrics',
    'src/statements',
    'src/page-files',
    'src/identity',
  ],
  'src/operators/operations': [...middle, 'src/statements', 'src/identity'],
  'src/operators/server': [
    ...middle,
    'src/suppliers',
    'src/http',
    'src/operators/operations',
    'src/identity',
    'src/page-files',
  ],
  'src/operators/cli': [...middle, 'src/suppliers', 'src/statements', 'src/operators/operations', 'src/identity'],
  'src/worker': [...middle, 'src/suppliers', 'src/metrics', 'activities'],
  workflows: [...base, 'src/temporal', 'activities'],
  activities: [...middle, 'src/statements'],
  'dev/simulator': [],
  // Suppliers as their documentation describes them, written without the adapters.
  fakes: [],
  // Compares a supplier with what its adapter declares; no part of the production image.
  'dev/trial': [...base, 'src/suppliers'],
  // Fills a sandbox with demo data; no part of the production image.
  'dev/sandbox': [
    ...middle,
    'src/suppliers',
    'src/operators/operations',
    'src/operators/cli',
    'src/identity',
    'dev/simulator',
  ],
  'dev/stack': ['src/operators/cli'],
  // The rows and connections of a running stack that tests and benchmarks share.
  'dev/testbed': ['src/domain', 'src/security', 'src/data', 'src/temporal', 'dev/stack'],
  // Sees the service from outside: by its API, its tool and its processes.
  'dev/faults': ['dev/stack', 'dev/simulator', 'fakes'],
  // Starts what containers start, as they start it, without containers. It knows the names of the database's roles.
  'deploy/production': ['dev/stack', 'dev/testbed', 'src/data'],
  // The clients' library: it knows the service by its API alone.
  'packages/client': [],
  // The console's pages, which know it as a client does.
  'packages/console': ['packages/client', 'packages/parts'],
  // The operators' pages, which know the service by the operators' API alone.
  'packages/office': ['packages/client', 'packages/parts'],
  'packages/parts': ['packages/client'],
};

/** The part with the file or folder, or undefined. */
function partOf(path) {
  return Object.keys(parts).find((part) => path === part || path.startsWith(part + sep));
}

const isTest = (path) => path.startsWith(`test${sep}`);

export const onlyKnownParts = {
  meta: { type: 'problem', schema: [], messages: { unknown: '`{{from}}` may not import from `{{to}}`.' } },
  create(context) {
    const file = relative(context.cwd, context.filename);
    if (isTest(file)) return {};
    const from = partOf(file);
    const allowed = from && [from, ...everywhere, ...parts[from]];
    const check = (source) => {
      if (typeof source?.value !== 'string' || !source.value.startsWith('.')) return;
      const target = join(dirname(file), source.value);
      const to = partOf(target) ?? target;
      const isKnown = allowed ? allowed.includes(to) : !isTest(target);
      if (!isKnown) context.report({ node: source, messageId: 'unknown', data: { from: from ?? file, to } });
    };
    return {
      'ImportDeclaration, ExportNamedDeclaration, ExportAllDeclaration, ImportExpression': ({ source }) =>
        check(source),
    };
  },
};

import { createRequire } from 'node:module';
import ts from 'typescript';
import { noLiteralLookup } from './dev/scripts/no-literal-lookup.mjs';

/** Only `npm run lint` installs ESLint and its plugins. */
const tools = createRequire(new URL('dev/tools/package.json', import.meta.url));
const boundaries = tools('eslint-plugin-boundaries');
const prettier = tools('eslint-config-prettier');
const tseslint = tools('typescript-eslint');

/** Each part of the service, and what it may import. Imports point one way: towards the domain. */
const base = ['src/async', 'src/domain', 'src/tracing'];
const middle = [
  ...base,
  'src/security',
  'src/temporal',
  'src/data',
  'src/suppliers',
  'src/catalogue',
  'src/notifications',
  'src/ordering',
];
/** What each part may import. */
const everywhere = ['src/settings', 'src/process'];
const parts = {
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
  'src/suppliers': base,
  'src/catalogue': [...base, 'src/data', 'src/suppliers'],
  'src/notifications': [...base, 'src/security', 'src/temporal', 'src/data'],
  'src/ordering': middle,
  'src/statements': [...base, 'src/data'],
  'src/identity': [...base, 'src/data', 'src/notifications', 'src/http'],
  'src/metrics': [...base, 'src/data', 'src/http'],
  // Built pages, as both processes with pages serve them.
  'src/page-files': ['src/domain'],
  'src/api': [...middle, 'src/http', 'src/metrics', 'src/statements', 'src/page-files', 'src/identity'],
  'src/operations': [...middle, 'src/statements', 'src/identity'],
  'src/operators-server': [...middle, 'src/http', 'src/operations', 'src/identity', 'src/page-files'],
  'src/ops-cli': [...middle, 'src/statements', 'src/operations', 'src/identity'],
  'src/worker': [...middle, 'src/metrics', 'activities'],
  workflows: [...base, 'src/temporal', 'activities'],
  activities: middle,
  'dev/simulator': [],
  // Suppliers as their documentation describes them, written without the adapters.
  fakes: [],
  // Compares a supplier with what its adapter declares; no part of the production image.
  'dev/trial': [...base, 'src/suppliers'],
  // Fills a sandbox with demo data; no part of the production image.
  'dev/sandbox': [...middle, 'src/operations', 'src/ops-cli', 'src/identity', 'dev/simulator'],
  'dev/stack': ['src/ops-cli'],
  // Sees the service from outside: by its API, its tool and its processes.
  'dev/faults': ['dev/stack', 'dev/simulator', 'fakes'],
  // Starts what containers start, as they start it, without containers. It knows the names of the database's roles.
  'deploy/production': ['dev/stack', 'src/data'],
  // The clients' library: it knows the service by its API alone.
  'packages/client': [],
  // The console's pages, which know it as a client does.
  'packages/console': ['packages/client', 'packages/parts'],
  // The operators' pages, which know the service by the operators' API alone.
  'packages/office': ['packages/client', 'packages/parts'],
  'packages/parts': ['packages/client'],
};

/** They may import everything, and nothing may import them. */
const unlimited = ['dev/bench', 'test'];

/** Only this module reads times from text: a time without a zone is UTC, and `Date` would take the zone of the machine. */
const TIMES = 'src/domain/time.ts';

/** Reports `Date.parse`, a `Date` of text or of single numbers, and Joi's types that use them. */
const noMachineZone = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { text: `Read a time with ${TIMES}: without a zone it is UTC.` },
  },
  create(context) {
    const report = (node) => context.report({ node, messageId: 'text' });
    const isText = (type) => (type.isUnion() ? type.types.some(isText) : (type.flags & MAY_BE_TEXT) !== 0);
    return {
      "MemberExpression[object.name='Date'][property.name='parse']": report,
      "CallExpression[callee.object.name='Joi'][callee.property.name='date']": report,
      "CallExpression[callee.property.name='isoDate']": report,
      "NewExpression[callee.name='Date']"(node) {
        const [first, ...others] = node.arguments;
        if (!first) return;
        if (others.length > 0 || isText(context.sourceCode.parserServices.getTypeAtLocation(first)))
          report(node);
      },
    };
  },
};
const MAY_BE_TEXT = ts.TypeFlags.StringLike | ts.TypeFlags.Any | ts.TypeFlags.Unknown;

/** Reports a literal that is spread in a literal or a call: its members need no spread. */
const noSpreadLiteral = {
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

export default tseslint.config(
  { ignores: ['**/dist', '.run', '**/node_modules'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.recommendedTypeChecked, prettier],
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.json', './packages/console/tsconfig.json', './packages/office/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    plugins: {
      boundaries,
      local: {
        rules: {
          'no-literal-lookup': noLiteralLookup,
          'no-machine-zone': noMachineZone,
          'no-spread-literal': noSpreadLiteral,
        },
      },
    },
    settings: {
      'boundaries/elements': [...Object.keys(parts), ...unlimited].map((folder) => ({
        type: folder,
        pattern: folder,
        partialMatch: false,
      })),
      'import/resolver': { node: { extensions: ['.ts', '.tsx'] } },
    },
    rules: {
      'boundaries/dependencies': [
        'error',
        {
          default: 'disallow',
          policies: [
            ...Object.entries(parts).map(([folder, imports]) => ({
              from: { element: { type: folder } },
              allow: { to: { element: { types: { anyOf: [folder, ...everywhere, ...imports] } } } },
            })),
          ],
        },
      ],
      '@typescript-eslint/require-await': 'off',
      // A member added to a union is an error wherever its members are told apart, with or without a default.
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: false, requireDefaultForNonUnion: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'max-lines-per-function': ['error', { max: 80, skipComments: true, skipBlankLines: true }],
      'local/no-spread-literal': 'error',
    },
  },
  {
    files: ['src/**/*.ts', 'activities/**/*.ts', 'workflows/**/*.ts'],
    rules: { 'max-lines': ['error', 300] },
  },
  {
    files: ['src/**/*.ts', 'activities/**/*.ts', 'workflows/**/*.ts'],
    ignores: [TIMES],
    rules: { 'local/no-machine-zone': 'error' },
  },
  {
    // A migration never changes.
    files: ['src/**/*.ts', 'activities/**/*.ts', 'workflows/**/*.ts', 'packages/**/*.{ts,tsx}'],
    ignores: ['src/data/schema/migrations/*.ts'],
    rules: { 'local/no-literal-lookup': 'error' },
  },
  {
    // Each tells one story from its beginning to its end, or is one list.
    files: [
      'src/domain/attention/attention-explanations.ts',
      'src/notifications/webhooks/delivery.ts',
      'workflows/fulfilment.ts',
    ],
    rules: { 'max-lines': ['error', 750] },
  },
  {
    // docs/decisions/0049-one-way-to-the-database.md: only `src/data` has statements and models.
    files: ['src/**/*.ts', 'activities/**/*.ts', 'workflows/**/*.ts'],
    ignores: ['src/data/**/*.ts', 'src/process/log.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: ['sequelize', 'pg'],
          patterns: [
            {
              group: ['**/data/database/database', '**/data/database/database.js'],
              allowImportNames: [
                'Database',
                'Transaction',
                'OperatorCommand',
                'DatabaseOptions',
                'PoolUse',
                'openDatabase',
                'poolUse',
                'ping',
                'databaseTime',
                'STATEMENT_MS',
                'LONG_STATEMENT_MS',
              ],
              message: 'A statement belongs to the file of `src/data` that has its table.',
            },
            {
              group: ['**/data/**'],
              importNamePattern: '[mM]odels$|^defineModel$|^oncePerDatabase$',
              message: 'A read or write by a model belongs to `src/data`.',
            },
          ],
        },
      ],
      'no-restricted-syntax': [
        'error',
        ...['Literal[value=', 'TemplateElement[value.raw='].map((text) => ({
          selector: `${text}/^\\s*(SELECT|INSERT INTO|UPDATE \\w+ SET|DELETE FROM|WITH \\w+ AS)\\s/]`,
          message: 'SQL belongs to `src/data`.',
        })),
        {
          selector: "MemberExpression[object.name='database'][property.name=/^(query|model|models|define)$/]",
          message: 'A statement belongs to `src/data`.',
        },
      ],
    },
  },
  {
    // docs/decisions/0049-one-way-to-the-database.md
    files: ['src/data/**/*.ts'],
    ignores: [
      'src/data/database/*.ts',
      'src/data/catalogue/*.ts',
      'src/data/clients/accounts.ts',
      'src/data/prices/pricing-settings.ts',
    ],
    rules: { 'no-restricted-imports': ['error', 'sequelize'] },
  },
  {
    // docs/decisions/0082-set-what-a-session-needs-after-connecting.md
    files: ['src/data/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            "NewExpression[callee.object.name='pg'][callee.property.name='Client'], " +
            "NewExpression[callee.object.name='pg'][callee.property.name='Pool']:not(:has(Property[key.name='Client']))",
          message: 'A session of the program needs its settings: use `clientAt` or `clientWith`.',
        },
      ],
    },
  },
  {
    // docs/decisions/0032-attempt-the-purchase-in-the-placement-activity.md
    files: ['workflows/*.ts'],
    ignores: ['workflows/activities.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { paths: [{ name: '@temporalio/workflow', importNames: ['proxyLocalActivities'] }] },
      ],
    },
  },
  {
    files: ['**/*.mjs'],
    extends: [...tseslint.configs.recommended, prettier],
    languageOptions: {
      globals: Object.fromEntries(
        ['URL', 'clearInterval', 'console', 'fetch', 'performance', 'process', 'setInterval'].map((name) => [
          name,
          false,
        ]),
      ),
    },
    rules: { 'no-undef': 'error', 'no-unused-vars': 'off' },
  },
  {
    files: unlimited.map((folder) => `${folder}/**/*.ts`),
    // Jest's matchers are typed any.
    rules: {
      'max-lines-per-function': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      'boundaries/dependencies': 'off',
    },
  },
);

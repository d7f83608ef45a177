/**
 * The test environment: files run in the realm of their worker, not in a context of their own. So all files of a worker share the
 * packages (shared-packages.cjs), the build (shared-sources.cjs) and the compiled code: loading them anew took seconds of CPU for
 * each file. Each file still evaluates the modules of the tests anew, and finds the process as it was.
 */
const asyncHooks = require('node:async_hooks');
const v8 = require('node:v8');
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

const contextsOfRealm = new WeakSet();
const compiled = new Map();
const { compileFunction } = vm;
/** Jest compiles every module for a context. A function that is compiled for none runs in the realm, for each file again. */
vm.compileFunction = (code, names, { parsingContext, ...options }) => {
  if (!contextsOfRealm.has(parsingContext)) return compileFunction(code, names, { parsingContext, ...options });
  const known = compiled.get(options.filename);
  if (known?.code === code) return known.module;
  const module = compileFunction(code, names, options);
  compiled.set(options.filename, { code, module });
  return module;
};

/** Those of all files: each one that stays enabled makes every later promise dearer. Its next use enables it. */
const storages = new Set();
asyncHooks.AsyncLocalStorage = class extends asyncHooks.AsyncLocalStorage {
  constructor(...options) {
    super(...options);
    storages.add(this);
  }
};

/**
 * The hook with which the SDK records the stack of each promise of a workflow. Only the query `__stack_trace` reads these stacks, and
 * no test sends it to a workflow in this thread. The hook would stay for the later files of the process.
 */
Object.assign(v8, { promiseHooks: { ...v8.promiseHooks, createHook: () => () => undefined } });

/** What Jest's runner of tests keeps in the global object: the tests of a file, their handlers of events and their settings. */
const ofRunner = ['JEST_STATE_SYMBOL', 'EVENT_HANDLERS', 'TEST_TIMEOUT_SYMBOL', 'RETRY_TIMES'];

module.exports = class OneRealm extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    contextsOfRealm.add(this.context);
    this.global = globalThis;
    globalThis.requireShared = require;
    // Of the global object itself, the library would also replace Node's own modules of timers.
    this.fakeTimersModern = new this.fakeTimersModern.constructor({
      config: config.projectConfig,
      global: new Proxy(globalThis, {}),
    });
    const { env, exitCode, exit, getBuiltinModule } = process;
    this.before = { env: { ...env }, console: globalThis.console, process: { exitCode, exit, getBuiltinModule } };
  }

  async teardown() {
    const { env, console } = this.before;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    Object.assign(process, this.before.process);
    globalThis.console = console;
    // Jest's global teardown may run in this process, and loads packages as Node does.
    delete globalThis.requireShared;
    for (const storage of storages) storage.disable();
    for (const key of Object.getOwnPropertySymbols(globalThis))
      if (ofRunner.includes(key.description)) delete globalThis[key];
    await super.teardown();
  }
};

/**
 * The test environment: files run in the realm of their worker, not in a context of their own. So all files of a worker share the
 * packages (shared-packages.cjs): loading them anew took a second of CPU for each file. Each file still loads the project's modules
 * anew, and finds the process as it was.
 */
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

const contextsOfRealm = new WeakSet();
const { compileFunction } = vm;
/** Jest compiles every module for a context. A function that is compiled for none runs in the realm. */
vm.compileFunction = (code, names, { parsingContext, ...options }) =>
  compileFunction(
    code,
    names,
    contextsOfRealm.has(parsingContext) ? options : { parsingContext, ...options },
  );

globalThis.requireShared = require;

module.exports = class OneRealm extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    contextsOfRealm.add(this.context);
    this.global = globalThis;
    // Of the global object itself, the library would also replace Node's own modules of timers.
    this.fakeTimersModern = new this.fakeTimersModern.constructor({
      config: config.projectConfig,
      global: new Proxy(globalThis, {}),
    });
    this.before = { env: { ...process.env }, exitCode: process.exitCode, console: globalThis.console };
  }

  async teardown() {
    const { env, exitCode, console } = this.before;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    process.exitCode = exitCode;
    globalThis.console = console;
    await super.teardown();
  }
};

/** The operations on any database, in this process, as the operators' process runs them. */
import { loadConfig } from '../../src/settings/config';
import { openDatabase } from '../../src/data/database/database';
import { loadKeyRing } from '../../src/data/keys/loaded-keys';
import type { Given } from '../../src/operators/operations/arguments';
import type { DataOperation, DocumentOperation, Form, Operation } from '../../src/operators/operations/operation';
import { OperatorCalls, type Caller } from '../../src/operators/server/calls';
import { openWorkplace } from '../../src/operators/server/workplace';
import type { CallListener } from '../../src/operators/operations/context';
import type { Door } from '../../src/operators/cli/operators-client';
import { currentOperator } from '../../src/operators/cli/command-resources';
import { LocalKeyEncryption } from '../../src/security/key-encryption';

/** The admin of the command's `--operator`. */
const tester = (): Caller => {
  const name = currentOperator();
  return { id: `test/${name}`, name, role: 'admin', door: 'CLI' };
};

/** Reads its settings from the environment at each call. Its connections stay open until the end of the test file. */
export class DirectDoor implements Door {
  constructor(private readonly caller: () => Caller = tester) {}

  preview(operation: Operation, given: Given): Promise<string | undefined> {
    return withCalls((calls) => calls.preview(this.caller(), operation, given));
  }

  run(operation: DataOperation, given: Given, listener: CallListener) {
    return withCalls(async (calls) => {
      const { data, mark } = await calls.run(this.caller(), operation, given, listener);
      return { data: JSON.parse(JSON.stringify(data)) as unknown, mark };
    });
  }

  async *parts(operation: DocumentOperation, given: Given, form: Form): AsyncGenerator<string> {
    const parts: string[] = [];
    const write = (part: string) => Promise.resolve(void parts.push(part));
    await withCalls((calls) => calls.write(this.caller(), operation, { given, form }, write));
    yield* parts;
  }
}

/** They sign in at the operators' process of the stack: `ops` in `operator.ts` uses it. */
function people(): never {
  throw new Error("A database without an operators' process has no people");
}

/** By the environment that they were opened with. A call of its own connections costs 70 ms of CPU, half of it PostgreSQL's. */
const workplaces = new Map<string, ReturnType<typeof openWorkplace>>();
afterAll(async () => {
  await Promise.all([...workplaces.values()].map((workplace) => workplace.close()));
  workplaces.clear();
});

function workplaceOf(environment: string): ReturnType<typeof openWorkplace> {
  const opened = workplaces.get(environment);
  if (opened) return opened;
  const config = loadConfig();
  const database = openDatabase(config.database.url, 10, { isOperated: true });
  const keyEncryption = () => new LocalKeyEncryption(config.secretKeys);
  const keyRing = () => loadKeyRing(database, keyEncryption());
  const workplace = openWorkplace({ config, database, longDatabase: database, keyEncryption, keyRing, people });
  workplaces.set(environment, workplace);
  return workplace;
}

function withCalls<Result>(work: (calls: OperatorCalls) => Promise<Result>): Promise<Result> {
  return work(new OperatorCalls(workplaceOf(JSON.stringify(process.env))));
}

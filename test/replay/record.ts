/**
 * `npm run replay:record -- [--replace] <name>...`: runs the scenarios on the running stack, or on a new one, and
 * stores the histories of their workflows. Without a name it records every missing scenario. A recording shows a possible run of an
 * earlier release, so only `--replace` replaces one.
 */
import { withStack } from '../../dev/stack/launch';
import { RunDirectory } from '../../dev/stack/run-directory';
import { EncryptionCodec } from '../../src/temporal/codec';
import { stackDatabase } from '../../dev/testbed/clients';
import { stackKeyRing } from '../../dev/testbed/stack-keys';
import { serviceTemporalClient } from '../../dev/testbed/temporal-clients';
import { recordedScenarios, type Stack } from './recorded-scenarios';
import { isRecorded, writeRecording } from './recording';

async function record(stack: Stack, name: string, mayReplace: boolean): Promise<void> {
  const scenario = recordedScenarios[name];
  if (!scenario) {
    const names = Object.keys(recordedScenarios).join(', ');
    throw new Error(`There is no scenario "${name}": the scenarios are ${names}`);
  }
  const workflow = await scenario(stack);
  const history = await workflow.fetchHistory();
  const codec = new EncryptionCodec(await stackKeyRing());
  await writeRecording({ name, workflowId: workflow.workflowId, history }, codec, mayReplace);
  console.log(`${name}: ${history.events?.length ?? 0} events of ${workflow.workflowId}`);
}

async function recordAll(): Promise<void> {
  process.env['STACK_FILE'] ??= new RunDirectory().file('stack.json');
  const named = process.argv.slice(2).filter((argument) => argument !== '--replace');
  const mayReplace = process.argv.includes('--replace');
  const recorded = named.filter(isRecorded);
  if (recorded.length > 0 && !mayReplace)
    throw new Error(`Already recorded: ${recorded.join(', ')}. Give --replace, or a new name.`);
  const temporal = await serviceTemporalClient();
  const database = stackDatabase();
  try {
    const wanted = named.length > 0 ? named : Object.keys(recordedScenarios).filter((name) => !isRecorded(name));
    for (const name of wanted) await record({ database, temporal }, name, mayReplace);
  } finally {
    await temporal.connection.close();
    await database.close();
  }
}

void withStack(recordAll);

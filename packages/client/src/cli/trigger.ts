/** `dgo trigger`: starts a sandbox scenario. */
import type { DigitalGoods } from '../client.ts';
import { NotFoundError } from '../errors.ts';
import type { SandboxScenario } from '../models.ts';
import { familyOfPath, ordersOf } from './families.ts';
import { Problem } from './problem.ts';

/** Places the order of the scenario, and says what will become of it. */
export async function trigger(client: DigitalGoods, name: string): Promise<string> {
  const scenarios = await scenariosOf(client);
  const scenario = scenarios.find((each) => each.name === name);
  if (!scenario) {
    const names = scenarios.map((each) => each.name).join(', ');
    throw new Problem(`There is no scenario ${name}. There are ${names}.`);
  }
  const sandboxFault = scenario.headers?.['Sandbox-Fault'];
  const options = sandboxFault === undefined ? {} : { sandboxFault };
  const order = await ordersOf(client, familyOfPath(scenario.path)).create(scenario.body, options);
  const end = order.status === scenario.final_status ? '' : `, and ends as ${scenario.final_status}`;
  return `Order ${order.id} is ${order.status}${end}.`;
}

async function scenariosOf(client: DigitalGoods): Promise<SandboxScenario[]> {
  try {
    return await client.sandbox.scenarios();
  } catch (error) {
    if (error instanceof NotFoundError) throw new Problem('This service has no scenarios: it is no sandbox.');
    throw error;
  }
}

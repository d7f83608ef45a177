/** The supplier simulator: `node simulator/main.js`, settings from the environment. */
import Joi from 'joi';
import { startSimulator, type SimulatorOptions } from './server';

interface Settings {
  SIMULATOR_HOST: string;
  SIMULATOR_PORT: number;
  SIMULATOR_SECRET: string;
  SIMULATOR_STATE_FILE: string;
  SIMULATOR_LATENCY_MS: number;
  SIMULATOR_TIME_SCALE: number;
  SIMULATOR_MAX_UNITS: number;
  SIMULATOR_CALLBACK_URL?: string;
}

const settings = Joi.object<Settings, true>({
  SIMULATOR_HOST: Joi.string().default('127.0.0.1'),
  SIMULATOR_PORT: Joi.number().port().default(4010),
  SIMULATOR_SECRET: Joi.string().min(16).required(),
  SIMULATOR_STATE_FILE: Joi.string().default('.run/simulator.jsonl'),
  SIMULATOR_LATENCY_MS: Joi.number().min(0).default(2),
  SIMULATOR_TIME_SCALE: Joi.number().min(0).default(1),
  SIMULATOR_MAX_UNITS: Joi.number().integer().min(1).max(10_000).default(500),
  SIMULATOR_CALLBACK_URL: Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .empty(''),
}).options({ stripUnknown: true, abortEarly: false, errors: { wrap: { label: false } } });

function loadOptions(environment: NodeJS.ProcessEnv): SimulatorOptions {
  const value = Joi.attempt(environment, settings);
  return {
    host: value.SIMULATOR_HOST,
    port: value.SIMULATOR_PORT,
    secret: value.SIMULATOR_SECRET,
    stateFile: value.SIMULATOR_STATE_FILE,
    latencyMs: value.SIMULATOR_LATENCY_MS,
    timeScale: value.SIMULATOR_TIME_SCALE,
    maxUnits: value.SIMULATOR_MAX_UNITS,
    callbackUrl: value.SIMULATOR_CALLBACK_URL,
  };
}

async function main(): Promise<void> {
  const simulator = await startSimulator(loadOptions(process.env));
  console.log(`Supplier simulator listening on ${simulator.url}`);
  const stop = (): void => void simulator.close().then(() => process.exit(0));
  process.once('SIGTERM', stop).once('SIGINT', stop);
}

main().catch((error: unknown) => {
  console.error(`Supplier simulator: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});

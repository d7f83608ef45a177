/** The seeding job of docker-compose.yml: creates the demo data and shows how to order. */
import { curlExample } from './announcement';
import { messageOf } from './problem';
import { RunDirectory } from './run-directory';
import { seedDemo } from './services';

async function main(): Promise<void> {
  const directory = new RunDirectory();
  const { demo, operator } = await seedDemo(directory, process.env);
  directory.keepOperatorToken(operator.token);
  console.log(JSON.stringify({ ...demo, operator }, null, 2));
  console.log(curlExample({ api_url: process.env['PUBLIC_API_URL'] ?? 'http://127.0.0.1:3000', ...demo }));
}

main().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exit(1);
});

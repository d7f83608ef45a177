/** The containers' Temporal server and its UI, built on this machine in the versions of their images. */
import { execFile } from 'node:child_process';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Say } from '../../dev/stack/commands';
import { goInstall, keptFolder } from '../../dev/stack/downloads';
import { messageOf, Problem } from '../../dev/stack/problem';

const SERVER = 'go.temporal.io/server';
const UI = 'github.com/temporalio/ui-server/v2';

export interface TemporalPrograms {
  /** The folders of `temporal-server` and `temporal-sql-tool`, and of `ui-server`, as the images call them. */
  folders: readonly string[];
  /** Has the folder `config` of the UI's image. */
  uiRoot: string;
}

/** Builds the versions, unless an earlier run did. Throws a message if that fails. */
export async function temporalPrograms(
  { server, ui }: Readonly<Record<'server' | 'ui', string>>,
  say: Say,
): Promise<TemporalPrograms> {
  try {
    const folders = [
      await keptFolder(`temporal-server-${server}`, async (folder) => {
        say(`Temporal server ${server}: building it with its schema tool (takes minutes, once) ...`);
        const packages = ['cmd/server', 'cmd/tools/sql'].map((path) => `${SERVER}/${path}@v${server}`);
        await goInstall(packages, folder, say);
        renameSync(join(folder, 'server'), join(folder, 'temporal-server'));
        renameSync(join(folder, 'sql'), join(folder, 'temporal-sql-tool'));
      }),
      await keptFolder(`temporal-ui-${ui}`, async (folder) => {
        say(`Temporal UI ${ui}: building its server (takes minutes, once) ...`);
        await goInstall([`${UI}/cmd/server@v${ui}`], folder, say);
        renameSync(join(folder, 'server'), join(folder, 'ui-server'));
      }),
    ];
    return { folders, uiRoot: await moduleFolder(`${UI}@v${ui}`) };
  } catch (error) {
    throw new Problem(
      `Temporal server ${server} and Temporal UI ${ui} could not be built: ${messageOf(error)}. That needs Go (https://go.dev/dl) and a proxy of Go modules.`,
    );
  }
}

async function moduleFolder(module: string): Promise<string> {
  const { stdout } = await promisify(execFile)('go', ['mod', 'download', '-json', module]);
  return (JSON.parse(stdout) as { Dir: string }).Dir;
}

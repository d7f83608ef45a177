/** `invite-admin` and `unlock-admin`: the first admin of an installation, and the ways back in if no admin can sign in. */
import type { Command } from 'commander';
import { email as emailKind, reasonText } from '../../operations/kinds';
import { newName } from '../../operations/names';
import { checked } from '../arguments';

// Lazy imports: the sign-in would slow every command.
export function addLocalPeopleCommands(program: Command): void {
  program
    .command('invite-admin')
    .description('Invite an admin by email, from the machine of the service: the first one, or if none can sign in')
    .argument('<email>', 'of the person', checked(emailKind.read))
    .requiredOption('--name <name>', 'of the person, for the audit log', checked(newName.read))
    .action(async (email: string, { name }: { name: string }) => {
      const { inviteAdmin } = await import('../local-people.js');
      await inviteAdmin(email, name);
      console.log(`${email} is invited as admin, for 7 days.`);
    });
  program
    .command('unlock-admin')
    .description(
      'Let an admin sign in in new browsers again after wrong codes, from the machine of the service: if none can sign in',
    )
    .argument('<email>', 'of the admin', checked(emailKind.read))
    .requiredOption('--reason <text>', 'the reason, for the audit log', checked(reasonText.read))
    .action(async (email: string) => {
      const { unlockAdmin } = await import('../local-people.js');
      await unlockAdmin(email);
      console.log(`The wrong codes for ${email} are forgotten: new browsers get codes again.`);
    });
}

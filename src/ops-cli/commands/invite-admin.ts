/** `invite-admin`: the first admin of an installation, and the way back in if no admin can sign in. */
import type { Command } from 'commander';
import { email as emailKind } from '../../operations/kinds';
import { newName } from '../../operations/names';
import { checked } from '../arguments';

export function addInviteAdminCommand(program: Command): void {
  program
    .command('invite-admin')
    .description(
      'Invite an admin by email, from the machine of the service: the first one, or if none can sign in',
    )
    .argument('<email>', 'of the person', checked(emailKind.read))
    .requiredOption('--name <name>', 'of the person, for the audit log', checked(newName.read))
    .action(async (email: string, { name }: { name: string }) => {
      // A lazy import: the sign-in would slow every command.
      const { inviteAdmin } = await import('../admin-invitation.js');
      await inviteAdmin(email, name);
      console.log(`${email} is invited as admin, for 7 days.`);
    });
}

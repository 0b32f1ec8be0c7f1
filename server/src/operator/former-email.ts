import { Refusal } from '#domain/refusal.ts';
import type { CommandContext, Run } from './operator.ts';
import type { Answer } from './print.ts';

/**
 * Runs a command for the person with an email address. If nobody has the address any more, the refusal names the present one of the
 * person who had it: whoever takes over an account changes its email first.
 */
export function runForPerson(
  run: Run,
  email: string,
  work: (context: CommandContext) => Promise<Answer>,
): Promise<void> {
  return run(async (context) => {
    try {
      return await work(context);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'not_found') throw error;
      const newEmail = await context.users.emailSince(email);
      throw newEmail === undefined ? error : new Refusal('not_found', { values: { email, newEmail } });
    }
  });
}

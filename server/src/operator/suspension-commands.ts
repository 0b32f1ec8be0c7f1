import { formatAmount } from '@hengfu/contract/money';
import type { Command } from 'commander';
import type { Changed } from '../features/suspension/suspension.service.ts';
import { runForPerson } from './former-email.ts';
import { accessQuestion, breakGlassOption, doneOrAsked, onceAgreed } from './four-eyes.ts';
import type { Run } from './operator.ts';
import { emailOption, noteOption, reasonOption } from './parse.ts';

const reason = [
  '--reason <text>',
  'reason, for the audit trail; not shown to merchants',
  reasonOption,
] as const;

/** The reason for what a second person agrees to. */
const reasonForBoth = [
  '--reason <text>',
  'reason, for the second person and the audit trail; not shown to merchants',
  noteOption,
] as const;

/** Adds the commands that suspend and reactivate users and merchants, to the groups `user` and `merchant`. */
export function suspensionCommands(program: Command, run: Run): void {
  addPerson(groupOf(program, 'user'), run);
  addMerchant(groupOf(program, 'merchant'), run);
  addShow(groupOf(program, 'merchant'), run);
}

function addPerson(user: Command, run: Run): void {
  const email = ['--email <email>', 'email address the user signs in with', emailOption] as const;
  user
    .command('suspend')
    .description('sign a user out everywhere and block sign-in until reactivated')
    .requiredOption(...email)
    .requiredOption(...reason)
    .addHelpText(
      'after',
      `
Takes effect immediately in every process. At sign-in the user sees the same message as after an incorrect password.
Scheduled exports of the user are paused. Payouts and batches that the user submitted continue: to hold those too, suspend
the merchant.

Example: user suspend --email ann@acme.test --reason "left the company"`,
    )
    .action((options) =>
      runForPerson(run, options.email, async ({ suspension }) => {
        const changed = await suspension.suspendPerson(options.email, options.reason);
        const done = {
          changed: `${options.email} is suspended: signed out everywhere, and cannot sign in.`,
          unchanged: `${options.email} was already suspended. Nothing was changed.`,
        };
        return { done: done[changed], facts: { email: options.email, ...factsOf(changed, true) } };
      }),
    );
  user
    .command('reactivate')
    .description('allow a suspended user to sign in again, once somebody in the back office agrees')
    .requiredOption(...email)
    .requiredOption(...reasonForBoth)
    .addOption(breakGlassOption())
    .addHelpText(
      'after',
      `
Passwords and second factors are unchanged. If the account was taken over, run “user reset-password”, and “user
reset-two-factor” if the user has a second factor, before this command.

Example: user reactivate --email ann@acme.test --reason "confirmed by phone"`,
    )
    .action((options) =>
      runForPerson(run, options.email, async (context) => {
        const { reason, breakGlass } = options;
        const { email: person } = options;
        const { merchantId } = await context.users.homeOf(person);
        const found = await context.merchants.findById(merchantId);
        const question = accessQuestion(found, { command: 'user reactivate', person, reason });
        return onceAgreed(context, question, breakGlass, async () => {
          const changed = await context.suspension.reactivatePerson(person, reason);
          const done = {
            changed: `${person} may sign in again.`,
            unchanged: `${person} was not suspended. Nothing was changed.`,
          };
          return { done: done[changed], facts: { email: person, ...factsOf(changed, false) } };
        });
      }),
    );
}

function addMerchant(merchant: Command, run: Run): void {
  const code = ['--merchant <code>', 'merchant'] as const;
  merchant
    .command('suspend')
    .description('suspend a merchant: block its users, access keys and new orders, and hold unsent payouts')
    .requiredOption(...code)
    .requiredOption(...reason)
    .addHelpText(
      'after',
      `
Takes effect immediately in every process.
  blocked    sessions and sign-in of all its users; signed requests (403 merchant_suspended); new orders of every kind; new
             payments on its checkout pages
  held       unsent payouts and the waiting rows of batches; they continue when the merchant is reactivated
  continues  payouts already sent, payments that payers have started, late payments, refunds in progress, settlement,
             callbacks: money that arrives is never refused
Before you reactivate, review the held payouts (merchant show, payout list) and reject those that must not be paid (payout
reject).

Example: merchant suspend --merchant acme --reason "stolen laptop, owner called"`,
    )
    .action((options) =>
      run(async ({ merchants, suspension }) => {
        const { id } = await merchants.find(options.merchant);
        const changed = await suspension.suspendMerchant(id, options.reason);
        const { unsentPayouts, openBatches } = await suspension.standing(id);
        const held = `Held until reactivation: ${unsentPayouts} unsent payouts, ${openBatches} open batches.`;
        const done = {
          changed: `${options.merchant} is suspended. ${held}`,
          unchanged: `${options.merchant} was already suspended. Nothing was changed. ${held}`,
        };
        const facts = { merchant: options.merchant, ...factsOf(changed, true), unsentPayouts, openBatches };
        return { done: done[changed], facts };
      }),
    );
  merchant
    .command('reactivate')
    .description('reactivate a suspended merchant and send its held payouts, once a second person agrees')
    .requiredOption(...code)
    .requiredOption(...reasonForBoth)
    .addOption(breakGlassOption())
    .addHelpText(
      'after',
      `
Held payouts are sent immediately, each exactly once, and batches continue. Users have to sign in again; access keys work as
before.

Example: merchant reactivate --merchant acme --reason "new laptop, keys changed"`,
    )
    .action((options) =>
      run(async ({ merchants, suspension, withStaff, actor }) => {
        const { merchant, reason, breakGlass } = options;
        const { id } = await merchants.find(merchant);
        const { unsentPayouts, openBatches, suspendedAt } = await suspension.standing(id);
        const factsAfter = (changed: Changed) => ({
          merchant,
          ...factsOf(changed, false),
          unsentPayouts,
          openBatches,
        });
        if (!suspendedAt)
          return {
            done: `${merchant} was not suspended. Nothing was changed.`,
            facts: factsAfter('unchanged'),
          };
        const request = await withStaff(({ services: { merchantReactivation } }) =>
          merchantReactivation.ask(merchant, actor, reason, { breakGlass }),
        );
        if (request !== undefined) return doneOrAsked(request, '');
        return {
          done: `${merchant} is active again. Continued: ${unsentPayouts} payouts, ${openBatches} batches.`,
          facts: factsAfter('changed'),
        };
      }),
    );
}

function addShow(merchant: Command, run: Run): void {
  merchant
    .command('show')
    .description(
      'show whether a merchant is active or suspended, since when and why, and its unsent payouts and open batches',
    )
    .requiredOption('--merchant <code>', 'merchant')
    .action((options) =>
      run(async ({ merchants, suspension }) => {
        const { id } = await merchants.find(options.merchant);
        const standing = await suspension.standing(id);
        const { code, name, currency, zone, suspendedAt, unsentPayouts, openBatches } = standing;
        const row = {
          code,
          name,
          currency,
          zone,
          state: suspendedAt === null ? 'active' : 'suspended',
          since: suspendedAt?.toISOString() ?? '',
          by: standing.suspendedBy ?? '',
          reason: standing.reason ?? '',
          unsentPayouts,
          unsentAmount: formatAmount(standing.unsentAmountMinor, currency),
          openBatches,
        };
        return { rows: [row] };
      }),
    );
}

/** Finds a group of commands that another module has added. */
function groupOf(program: Command, name: string): Command {
  const group = program.commands.find((command) => command.name() === name);
  if (!group) throw new Error(`there is no command group ${name}`);
  return group;
}

function factsOf(changed: Changed, isSuspended: boolean) {
  return { isSuspended, isChanged: changed === 'changed' };
}

import { Command } from 'commander';
import { accessCommands } from './access-commands.ts';
import { announcementCommands } from './announcement-commands.ts';
import { approvalCommands } from './approval-commands.ts';
import { archiveCommands } from './archive-commands.ts';
import { auditCommands } from './audit-commands.ts';
import { backupCommands } from './backup-commands.ts';
import { contactCommands } from './contact-commands.ts';
import { databaseCommands } from './database-commands.ts';
import { incidentCommands } from './incident-commands.ts';
import { keyCommands } from './key-commands.ts';
import { merchantCommands } from './merchant-commands.ts';
import { merchantSettingsCommands } from './merchant-settings-commands.ts';
import { moneyCommands } from './money-commands.ts';
import {
  asDatabaseOwner,
  type Run,
  type RunAsOwner,
  type RunWithConfig,
  withConfig,
  withContext,
} from './operator.ts';
import { payoutCommands } from './payout-commands.ts';
import { print, printUsage } from './print.ts';
import { recoveryCommands } from './recovery-commands.ts';
import { roleCommands } from './role-commands.ts';
import { staffCommands } from './staff-commands.ts';
import { suspensionCommands } from './suspension-commands.ts';
import { topupCommands } from './topup-commands.ts';
import { transferCommands } from './transfer-commands.ts';
import { userCommands } from './user-commands.ts';
import { withdrawalCommands } from './withdrawal-commands.ts';

/** Builds the program with the commands of operators. */
export function operatorProgram(): Command {
  const program = new Command('operator')
    .description('Commands for the operators of the service, run against the product’s database.')
    .option('--json', 'print JSON, for scripts')
    .configureOutput({ writeErr: printUsage })
    .addHelpText(
      'after',
      `
Examples:
  npm run -s operator -- merchant create --code acme --name "Acme" --currency CNY --zone Asia/Shanghai
  npm run -s operator -- user create --merchant acme --email a@b.test --name Ann --role MERCHANT_ADMIN
  npm run -s operator -- user suspend --email a@b.test --reason "left the company"
  npm run -s operator -- merchant suspend --merchant acme --reason "owner called"
  npm run -s operator -- key revoke --merchant acme --reason "key leaked"
  npm run -s operator -- terms set --merchant acme --channel CN_BANK --collection-rate 0.6%
  npm run -s operator -- limits set --merchant acme --payout 5000
  npm run -s operator -- settlement-cycle set --merchant acme --cycle weekly --weekday friday
  npm run -s operator -- channel install --adapter sandbox
  npm run -s operator -- channel close CN_BANK --only collections
  npm run -s operator -- rate set --currency CNY --usdt 7.15
  npm run -s operator -- wallet set --network TRC20 --address T… --minimum 10
  npm run -s operator -- staff create --email a@b.test --name Ann --role REVIEWER
  npm run -s operator -- topup list
  npm run -s operator -- withdrawal list
  npm run -s operator -- transfer --from acme --to other --amount 100.00 --key ticket-4711
  npm run -s operator -- contact set email support@example.com --note "Mon–Fri, 9:00–18:00"
  npm run -s operator -- incident open --impact degraded --title "Slow payouts" --text "We are looking into it."
  npm run -s operator -- ledger verify --json
  npm run -s operator -- backup --to backups/2026-01-31
  npm run -s operator -- restore --from backups/2026-01-31
  DATA_DIR=restored npm run -s operator -- restore --to-time 2026-01-31T09:30:00Z
  npm run -s operator -- recovery compare`,
    )
    .showHelpAfterError('(--help shows the accepted values)')
    .configureHelp({ showGlobalOptions: true });
  const run: Run = async (work) => print(await withContext(work), program.opts().json === true);
  const runAsOwner: RunAsOwner = async (work) =>
    print(await asDatabaseOwner(work), program.opts().json === true);
  const runWithConfig: RunWithConfig = async (work) =>
    print(await withConfig(work), program.opts().json === true);
  merchantCommands(program, run);
  userCommands(program, run);
  accessCommands(program, run);
  roleCommands(program, run);
  moneyCommands(program, run);
  merchantSettingsCommands(program, run);
  topupCommands(program, run);
  approvalCommands(program, run);
  withdrawalCommands(program, run);
  payoutCommands(program, run);
  transferCommands(program, run);
  contactCommands(program, run);
  incidentCommands(program, run);
  announcementCommands(program, run);
  databaseCommands(program, run, runAsOwner);
  backupCommands(program, runAsOwner, runWithConfig);
  recoveryCommands(program, run, runWithConfig);
  archiveCommands(program, run);
  auditCommands(program, run);
  keyCommands(program, run);
  suspensionCommands(program, run);
  staffCommands(program, run);
  for (const command of allCommands(program)) command.option('--json', 'print JSON, for scripts');
  program.hook('preAction', (_program, command) => {
    if (command.opts().json) program.setOptionValue('json', true);
  });
  return program;
}

function allCommands(command: Command): Command[] {
  return command.commands.flatMap((inner) => (inner.commands.length > 0 ? allCommands(inner) : [inner]));
}

import { flushDirectory } from '#db/flush-directory.ts';
import { writeAudit } from '#domain/audit.sql.ts';
import { amendHold, endHold, type RecoveryHold, readHold } from '#recovery/recovery-hold.ts';
import type { AcceptedLoss } from '../features/audit-seal/root.rules.ts';
import { MerchantService } from '../features/merchants/merchants.service.ts';
import type { Services } from './services.ts';

/**
 * Closes every channel for payouts while a restored database is held, and records which were open. Does nothing if it is not
 * held. May be repeated after a crash.
 */
export async function closeWhileHeld(directory: string, services: Services): Promise<void> {
  const hold = readHold(directory);
  if (!hold) return;
  const merchants = merchantsOf(services, 'operator:restore');
  const open = (await merchants.listChannels()).filter(({ payoutOpen }) => payoutOpen);
  // Recorded first: a crash in between must not lose which channels to open again.
  const closedChannels = hold.closedChannels ?? open.map(({ code }) => code);
  if (!amendHold(directory, { closedChannels })) return;
  await flushDirectory(directory);
  for (const { code } of open) await merchants.setChannel(code, { payout: false });
}

/** Says what a release still needs: a comparison of all channels without a difference. Undefined if nothing. */
function missingFor({ comparison }: RecoveryHold): string | undefined {
  if (!comparison) return 'the database was not compared with the channels since the restored moment';
  const { unknown, byHand } = comparison;
  if (unknown > 0) return `the comparison lists ${unknown} orders`;
  return byHand > 0 ? `${byHand} channels give no list of their orders` : undefined;
}

/** The outcome of a release. */
export interface Release {
  /** The channels that are open for payouts again. */
  channels: readonly string[];
  /** The end of the sealed audit trail that the restored database lacks; undefined if it lacks nothing. */
  loss: AcceptedLoss | undefined;
}

/**
 * Opens the channels again and ends the hold: workers start, and send what was accepted. Throws without a comparison of all channels
 * that found no difference, unless `reason` says why it is nevertheless right. Throws also if the audit trail ends clearly before the
 * moment of the restore. May be repeated after a crash.
 */
export async function releasePayouts(
  directory: string,
  services: Services,
  actor: string,
  reason: string | undefined,
): Promise<Release> {
  const hold = readHold(directory);
  if (!hold) throw new Error('Payouts are not held: this database was not restored, or it was released.');
  const missing = missingFor(hold);
  if (missing !== undefined && reason === undefined)
    throw new Error(
      `Not released: ${missing}. Compare (recovery compare), or say with --unreconciled how it was settled.`,
    );
  // First: no payout is sent from a database that may have been tampered with.
  const loss = await services.auditSeal.accept(
    actor,
    `released after a restore to ${hold.recoveredTo.toISOString()}`,
    hold.recoveredTo,
  );
  const channels = hold.closedChannels ?? [];
  const merchants = merchantsOf(services, actor);
  for (const code of channels) await merchants.setChannel(code, { payout: true });
  await services.database.asSystem((tx) =>
    writeAudit(tx, {
      merchantId: null,
      actor,
      action: 'recovery.release',
      subject: hold.base,
      after: { recoveredTo: hold.recoveredTo, comparison: hold.comparison, reason },
    }),
  );
  endHold(directory);
  return { channels, loss };
}

function merchantsOf({ database, secrets }: Services, actor: string): MerchantService {
  return new MerchantService(database, secrets, actor);
}

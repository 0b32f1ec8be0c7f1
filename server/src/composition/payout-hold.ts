import { writeAudit } from '#domain/audit.sql.ts';
import { endHold, readHold, writeHold } from '#recovery/recovery-hold.ts';
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
  writeHold(directory, { ...hold, closedChannels });
  for (const { code } of open) await merchants.setChannel(code, { payout: false });
}

/**
 * Opens the channels again and ends the hold: workers start, and send what was accepted. `reason` says why without a comparison.
 * Returns the channels.
 */
export async function releasePayouts(
  directory: string,
  services: Services,
  actor: string,
  reason: string | undefined,
): Promise<readonly string[]> {
  const hold = readHold(directory);
  const channels = hold?.closedChannels ?? [];
  const merchants = merchantsOf(services, actor);
  for (const code of channels) await merchants.setChannel(code, { payout: true });
  await services.database.asSystem((tx) =>
    writeAudit(tx, {
      merchantId: null,
      actor,
      action: 'recovery.release',
      subject: hold?.base ?? '',
      after: { recoveredTo: hold?.recoveredTo, comparison: hold?.comparison, reason },
    }),
  );
  endHold(directory);
  return channels;
}

function merchantsOf({ database, secrets }: Services, actor: string): MerchantService {
  return new MerchantService(database, secrets, actor);
}

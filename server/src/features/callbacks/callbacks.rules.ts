import type { AuditValues } from '@hengfu/contract/audit-fields';
import type { CallbackState } from '@hengfu/contract/callback-messages';

/** The settings of an endpoint; `events` is null for all. */
interface Settings {
  url: string;
  description: string | null;
  events: readonly string[] | null;
}

/** Whether a change sends data to another address, or further events to the same one. */
export function isWider(
  before: Pick<Settings, 'url' | 'events'>,
  after: Pick<Settings, 'url' | 'events'>,
): boolean {
  if (before.url !== after.url) return true;
  if (before.events === null) return false;
  return after.events === null || after.events.some((event) => !before.events?.includes(event));
}

/** Returns the fields of an endpoint that the audit trail records. */
export function recorded({ url, description, events }: Settings): AuditValues {
  return { url, description, events: events === null ? null : events.join(', ') };
}

/** Returns the state of a message. */
export function stateOf(message: {
  deliveredAt: Date | null;
  givenUpAt: Date | null;
  isSkipped: boolean;
}): CallbackState {
  if (message.deliveredAt !== null) return 'delivered';
  if (message.givenUpAt === null) return 'waiting';
  return message.isSkipped ? 'skipped' : 'givenUp';
}

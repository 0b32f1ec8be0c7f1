import type { ArchivedRow } from './archive.sql.ts';

/** The columns of a timeline that are read back. */
interface TimelineEvent {
  at: Date;
  status: string;
  reason: string | null;
  refusal: string | null;
  detail: string | null;
}

/** Turns an archived row of a timeline into the event that its table held. */
export function toEvent<E extends TimelineEvent>({ at, status, reason, refusal, detail }: ArchivedRow): E {
  return { at: new Date(String(at)), status, reason, refusal, detail } as E;
}

import type { Language } from '@hengfu/contract/languages';
import type { Database } from '#db/database.ts';
import type { RequestInfo, StaffMember } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import { setLanguage } from './staff.sql.ts';
import {
  deleteEndedStaffSessions,
  endStaffSessions,
  type ListedSession,
  listStaffSessions,
} from './staff-sessions.sql.ts';
import { auditStaff } from './staff-sign-in.ts';

/** Serves a signed-in member of our staff: language, sessions, sign-out. */
export class StaffService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async setLanguage({ staffId }: StaffMember, language: Language): Promise<void> {
    await this.#database.asSystem((tx) => setLanguage(tx, staffId, language));
  }

  sessions({ staffId, sessionId }: StaffMember): Promise<ListedSession[]> {
    return this.#database.asSystem((tx) => listStaffSessions(tx, staffId, sessionId));
  }

  /** Ends one of the own sessions. Throws `not_found`, also for somebody else's. */
  async endSession(member: StaffMember, id: string, request: RequestInfo): Promise<void> {
    await this.#database.asSystem(async (tx) => {
      if ((await endStaffSessions(tx, member.staffId, { id })) === 0) throw new Refusal('not_found');
      await auditStaff(tx, member, request, 'staff.end_session');
    });
  }

  /** Ends all own sessions but the one that asks. */
  async endOtherSessions(member: StaffMember, request: RequestInfo): Promise<void> {
    const { staffId, sessionId } = member;
    await this.#database.asSystem(async (tx) => {
      if ((await endStaffSessions(tx, staffId, { exceptSessionId: sessionId })) > 0)
        await auditStaff(tx, member, request, 'staff.end_others');
    });
  }

  /** Deletes ended sessions and expired counts of attempts. */
  async sweep(): Promise<void> {
    while (await this.#database.asSystem((tx) => deleteEndedStaffSessions(tx)));
  }

  async signOut(member: StaffMember, request: RequestInfo): Promise<void> {
    const { staffId, sessionId } = member;
    await this.#database.asSystem(async (tx) => {
      await endStaffSessions(tx, staffId, { sessionId });
      await auditStaff(tx, member, request, 'staff.sign_out');
    });
  }
}

import type { AuditValues } from '@hengfu/contract/audit-fields';
import type { PasskeyAssertion, PasskeyAttestation, PasskeyRequest } from '@hengfu/contract/passkeys';
import type { StaffProof } from '@hengfu/contract/staff/passkeys';
import type { Database, Tx } from '#db/database.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import type { RequestInfo, StaffMember } from '#domain/caller.ts';
import { assertWithinQuota } from '#domain/quota.sql.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { sessionLife } from '#http/session.rules.ts';
import type { WebAuthn } from '#security/web-authn.ts';
import { endStaffSessions, raiseStaffSession } from '../staff-sessions.sql.ts';
import {
  deletePasskey,
  insertPasskey,
  listPasskeys,
  lockPasskey,
  putChallenge,
  type StaffPasskeyRow,
  takeChallenge,
  touchPasskey,
} from './staff-passkeys.sql.ts';

/** Checks the second factor of somebody who has one. Throws refusals that a form can show. */
type Prove = (member: StaffMember, proof: StaffProof, request: RequestInfo) => Promise<void>;

/** A passkey that a person has created, with the name for it and what proves the second factor. */
interface GivenPasskey extends StaffProof {
  name: string;
  credential: PasskeyAttestation;
}

/**
 * The passkeys of our staff, bound to the back office's own host. They are a second factor beside the authenticator app, which is bound first. A
 * reset removes both.
 */
export class StaffPasskeys {
  readonly #database: Database;
  readonly #webAuthn: WebAuthn;

  constructor(database: Database, webAuthn: WebAuthn) {
    this.#database = database;
    this.#webAuthn = webAuthn;
  }

  list({ staffId }: StaffMember): Promise<StaffPasskeyRow[]> {
    return this.#database.asSystem((tx) => listPasskeys(tx, staffId));
  }

  /** Returns the options for creating a passkey that the person does not have yet. */
  async bindOptions(member: StaffMember) {
    const { staffId: id, email, name, sessionId } = member;
    const options = await this.#webAuthn.creation({ id, email, name }, await this.list(member));
    await this.#database.asSystem((tx) => putChallenge(tx, sessionId, 'creation', options.challenge));
    return options;
  }

  /**
   * Binds a passkey. The session continues under the new id, and all others end. Throws `validation_failed`, `conflict`, `quota_reached`, and
   * what `prove` throws: a stolen session alone binds none.
   */
  async bind(
    member: StaffMember,
    request: RequestInfo,
    { name, credential, ...proof }: GivenPasskey,
    { newSessionId, prove }: { newSessionId: string; prove: Prove },
  ): Promise<void> {
    const { staffId, sessionId } = member;
    await prove(member, proof, request);
    const challenge = await this.#database.asSystem((tx) => takeChallenge(tx, sessionId, 'creation'));
    const created = challenge && (await this.#webAuthn.verifyCreated(credential, challenge));
    if (!created) throw fieldRefusal('credential', 'validation.passkeyWrong');
    await this.#database.asSystem(async (tx) => {
      const have = async () => (await listPasskeys(tx, staffId)).length;
      await assertWithinQuota(tx, 'passkeysOfUser', staffId, have);
      if (!(await insertPasskey(tx, staffId, { ...created, name }))) throw new Refusal('conflict');
      await this.#keepOnly(tx, member, newSessionId);
      await audit(tx, member, request, 'staff.add_passkey', { after: { name } });
    });
  }

  /** Removes a passkey. The session continues under the new id, and all others end. Throws `not_found`, and what `prove` throws. */
  async remove(
    member: StaffMember,
    request: RequestInfo,
    { id, ...proof }: StaffProof & { id: string },
    { newSessionId, prove }: { newSessionId: string; prove: Prove },
  ): Promise<void> {
    const { staffId } = member;
    await prove(member, proof, request);
    await this.#database.asSystem(async (tx) => {
      const gone = (await listPasskeys(tx, staffId)).find((key) => key.id === id);
      if (!gone) throw new Refusal('not_found');
      await deletePasskey(tx, staffId, id);
      await this.#keepOnly(tx, member, newSessionId);
      await audit(tx, member, request, 'staff.remove_passkey', { before: { name: gone.name } });
    });
  }

  /** Returns the options for showing one of a person's passkeys; null if there is none. */
  async request({ staffId, sessionId }: StaffMember): Promise<PasskeyRequest | null> {
    const keys = await this.#database.asSystem((tx) => listPasskeys(tx, staffId));
    if (keys.length === 0) return null;
    const options = await this.#webAuthn.request(keys);
    await this.#database.asSystem((tx) => putChallenge(tx, sessionId, 'request', options.challenge));
    return options;
  }

  /** Whether a shown passkey is the person's and signs this session's challenge. Each challenge is valid once. */
  async accept(tx: Tx, { staffId, sessionId }: StaffMember, shown: PasskeyAssertion): Promise<boolean> {
    const challenge = await takeChallenge(tx, sessionId, 'request');
    const key = await lockPasskey(tx, staffId, shown.id);
    if (challenge === undefined || !key) return false;
    const signCount = await this.#webAuthn.verifyShown(shown, challenge, key);
    if (signCount === undefined) return false;
    await touchPasskey(tx, key.id, signCount);
    return true;
  }

  async #keepOnly(tx: Tx, { staffId, sessionId }: StaffMember, newSessionId: string): Promise<void> {
    await endStaffSessions(tx, staffId, { exceptSessionId: sessionId });
    await raiseStaffSession(tx, sessionId, newSessionId, sessionLife(false));
  }
}

async function audit(
  tx: Tx,
  member: StaffMember,
  request: RequestInfo,
  action: 'staff.add_passkey' | 'staff.remove_passkey',
  values: { before?: AuditValues; after?: AuditValues },
): Promise<void> {
  const actor = fieldsOfActor({ member, request });
  await writeAudit(tx, { merchantId: null, ...actor, action, subject: `staff:${member.staffId}`, ...values });
}

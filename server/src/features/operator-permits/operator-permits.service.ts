import type { StaffRequestKind } from '@hengfu/contract/staff/requests';
import type { Database } from '#db/database.ts';
import { writeAudit } from '#domain/audit.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import type {
  AskedAction,
  AskOptions,
  RaisedAlert,
  StaffEffects,
  StaffQuestion,
  StaffRequests,
} from '#domain/staff-requests.sql.ts';
import {
  deleteExpiredPermits,
  findWaiting,
  insertPermit,
  type Permit,
  takePermit,
} from './operator-permits.sql.ts';

export type { RaisedAlert };

/** The kinds of request that an operator carries out: the back office's role could not. */
export type PermitKind = Extract<StaffRequestKind, 'fundsTransfer' | 'merchantAccess'>;

/** A command, as an operator asks for it. */
export type PermitQuestion = StaffQuestion & { kind: PermitKind };

/**
 * Lets operators run commands that need rights of their own role, once a second person agrees. The approval leaves a permit. The same
 * command, run again by the same operator within a day, uses it up. So the back office's role gets no right over people, keys and
 * funds of merchants, and neither passwords nor secrets are stored with a request.
 */
export class OperatorPermits {
  readonly #database: Database;
  readonly #requests: StaffRequests;

  /** `database` works as `hengfu_staff`. */
  constructor(database: Database, requests: StaffRequests) {
    this.#database = database;
    this.#requests = requests;
  }

  /**
   * Returns undefined if the operator may run the command now, once; otherwise the ID of the request that waits for a second person. Throws
   * `request_waiting` while another request for the same subject is waiting.
   */
  async obtain(
    question: PermitQuestion,
    actor: string,
    options: AskOptions = {},
  ): Promise<bigint | undefined> {
    const permit = permitOf(question, actor);
    if (options.breakGlass === undefined && (await this.#use(question, permit))) return undefined;
    const { holder, change } = permit;
    const request = await this.#requests
      .ask({ ...question, change: { ...change, holder } }, actor, options)
      .catch((error: unknown) => this.#repeated(permit, error));
    if (request !== undefined) return request;
    // Nobody else had to agree: the permit is there already.
    if (!(await this.#use(question, permit))) throw new Refusal('conflict');
    return undefined;
  }

  /** Records that a command was refused that was run alone. Throws the error again. */
  noteRefused(alert: RaisedAlert, error: unknown): Promise<never> {
    return this.#requests.noteRefused(alert, error);
  }

  /** Leaves the permit. It is the operator's command that changes something. */
  readonly effects: StaffEffects = {
    perform: async (tx, { kind, subject, change }) => {
      const { holder, ...asked } = change as { holder: string };
      await insertPermit(tx, { kind, subject, change: asked, holder });
    },
  };

  /** Deletes the permits that nobody has used in time. */
  async sweep(): Promise<void> {
    await this.#database.asSystem((tx) => deleteExpiredPermits(tx));
  }

  /** Uses a permit up before the command runs: it works once, even if the command fails. */
  #use({ merchantId }: AskedAction, permit: Permit): Promise<boolean> {
    return this.#database.asSystem(async (tx) => {
      if (!(await takePermit(tx, permit))) return false;
      const { kind, subject, change, holder } = permit;
      const after = { kind, change, merchant: merchantId === null ? null : String(merchantId) };
      const action = 'staff_request.carry_out';
      await writeAudit(tx, { merchantId: null, actor: holder, action, subject, after });
      return true;
    });
  }

  /** Returns the request that waits if the operator has asked for the same before. */
  async #repeated(permit: Permit, error: unknown): Promise<bigint> {
    if (!(error instanceof Refusal) || error.code !== 'request_waiting') throw error;
    const { change, holder } = permit;
    const asked = { ...permit, change: { ...change, holder } };
    const waiting = await this.#database.asSystem((tx) => findWaiting(tx, asked));
    if (waiting === undefined) throw error;
    return waiting;
  }
}

function permitOf({ kind, subject, change }: PermitQuestion, holder: string): Permit {
  return { kind, subject, change, holder };
}

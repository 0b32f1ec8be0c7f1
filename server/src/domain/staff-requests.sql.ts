import type { RequestFact, StaffRequestKind } from '@hengfu/contract/staff/requests';
import type { MerchantTx, Tx } from '#db/database.ts';
import type { ServiceActor } from './caller.ts';

/** An action that needs a second person. */
export interface AskedAction {
  kind: StaffRequestKind;
  /** Null if it concerns the service alone. */
  merchantId: bigint | null;
  /** The order, the person or the setting; of each kind, one request at a time waits for it. */
  subject: string;
  /** Everything that is needed to do it. */
  change: object;
}

/** An action as somebody asks for it. */
export interface StaffQuestion extends AskedAction {
  /** Everything that the second person has to read. */
  facts: readonly RequestFact[];
  /** Why; may be empty. */
  reason: string;
}

/** The part of a feature that does something once a second person agrees. */
export interface StaffEffects {
  /** Accounts of our staff are changed in a role of their own. */
  database?: 'accounts';
  /** Records what belongs to a request, in the transaction that makes it. `requestedBy`: as the request names who asks. */
  onAsked?(tx: Tx, request: AskedAction & { id: bigint; requestedBy: string }): Promise<void>;
  /**
   * Does it, in the transaction that has locked the request: that of the merchant concerned, if there is one. Throws a refusal if it cannot
   * be done any more: `approval_changed` if something is no longer as the two people have read it. Audits every change.
   */
  perform(tx: Tx | MerchantTx, asked: AskedAction, by: ServiceActor): Promise<void>;
}

/** The effects of every kind of request. */
export type StaffEffectsByKind = Readonly<Record<StaffRequestKind, StaffEffects>>;

/** An alert of all of our staff, before an operator acts without a second person. */
export interface RaisedAlert {
  id: bigint;
  asked: AskedAction;
  actor: string;
}

export interface AskOptions {
  /** The reason why an operator cannot wait for a second person. */
  breakGlass?: string | undefined;
  /** Called with the alert of an action that was done alone. */
  onAlert?: (alert: RaisedAlert) => void;
}

/** Asks for actions that need a second person. */
export interface StaffRequests {
  /**
   * Asks for an action; the ID of the request is returned. A member of our staff must hold the permission of the kind. The actions of an
   * operator are done at once while nobody of our staff could approve them, and with `breakGlass`, the reason why one cannot wait: then
   * all of our staff are alerted. Returns undefined if it was done. Throws `request_waiting` while another request for the same subject
   * waits, `forbidden`, and the refusals of the action.
   */
  ask(question: StaffQuestion, by: ServiceActor, options?: AskOptions): Promise<bigint | undefined>;
  /** Records, if an error is a refusal, that the command of an alert was refused. Throws the error again. */
  noteRefused(alert: RaisedAlert, error: unknown): Promise<never>;
}

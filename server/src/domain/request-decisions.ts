import type { ApprovalState } from '@hengfu/contract/approval-states';
import { Refusal } from './refusal.ts';

/**
 * Requests that somebody else has to decide: those of merchants (`features/approvals`) and those of our staff (`features/staff-requests`).
 * A request waits until it is approved, refused or withdrawn, or its time is over, and then never changes again. Nobody decides their own
 * request. It is locked before it is decided, so of several people who decide at the same time one wins, and the others are told how it
 * ended. What an approval does, how many are needed and who may give one is up to the feature.
 */
export interface HeldRequest {
  state: ApprovalState;
  /** It waits still, and its time is over. */
  isOver: boolean;
  /** As actors are named: `user:<id>`, `key:<id>`, `staff:<id>` or `operator:<name>`. */
  requestedBy: string;
}

/** How a request ends. `by`: as actors are named; null if its time is over. */
export interface RequestOutcome {
  state: Exclude<ApprovalState, 'waiting'>;
  by: string | null;
  reason: string | null;
}

/** Somebody who wants to decide a request. */
export interface Decider {
  /** As actors are named. */
  actor: string;
  /** Whether the person may have asked under another name, such as that of an access key. */
  mayHaveAsked?: boolean;
  /** Whether the person may decide such requests of others. */
  isEntitled: boolean;
}

/** Throws `invalid_transition` unless a request waits. One whose time is over waits no longer, even if the job that ends it is late. */
export function assertWaiting({ state, isOver }: Pick<HeldRequest, 'state' | 'isOver'>): void {
  const now = isOver ? 'expired' : state;
  if (now !== 'waiting')
    throw new Refusal('invalid_transition', { values: { status: `approvals.states.${now}` } });
}

/** Whether somebody may decide a request as long as it waits: it is not their own, and they may decide such requests. */
export function mayDecide(
  { requestedBy }: Pick<HeldRequest, 'requestedBy'>,
  { actor, mayHaveAsked = false, isEntitled }: Decider,
): boolean {
  return requestedBy !== actor && !mayHaveAsked && isEntitled;
}

/**
 * Throws unless somebody may decide a request that the transaction has locked: `invalid_transition`, `own_request`, or `refusal` for people
 * who may not decide such requests.
 */
export function assertMayDecide(
  request: HeldRequest,
  decider: Decider,
  refusal: 'forbidden' | 'not_approver',
): void {
  assertWaiting(request);
  if (mayDecide(request, decider)) return;
  const isOwn = request.requestedBy === decider.actor || decider.mayHaveAsked;
  throw new Refusal(isOwn ? 'own_request' : refusal);
}

/** Throws unless somebody may withdraw a request that the transaction has locked: `forbidden` for others, `invalid_transition`. */
export function assertMayWithdraw(request: HeldRequest, actor: string): void {
  if (request.requestedBy !== actor) throw new Refusal('forbidden');
  assertWaiting(request);
}

/** Runs work in a transaction that has locked a request. */
export type Hold<Tx, Asked> = (work: (tx: Tx, asked: Asked) => Promise<void>) => Promise<void>;

/**
 * Decides a request that takes a proof, such as a code. Whether the person may decide it is checked before the proof, which works only
 * once, and again with the request locked anew: somebody may have decided it meanwhile.
 */
export async function decideWithProof<Tx, Asked>({
  hold,
  assertMay,
  prove,
  decide,
}: {
  hold: Hold<Tx, Asked>;
  assertMay: (tx: Tx, asked: Asked) => Promise<void>;
  prove: () => Promise<void>;
  decide: (tx: Tx, asked: Asked) => Promise<void>;
}): Promise<void> {
  await hold(assertMay);
  await prove();
  await hold(async (tx, asked) => {
    await assertMay(tx, asked);
    await decide(tx, asked);
  });
}

const expiredAtOnce = 100;

/** Ends the requests whose time is over. Returns how many. One that cannot be ended does not keep the others from it. */
export async function expireDue<Due>(
  listDue: (limit: number) => Promise<readonly Due[]>,
  end: (due: Due) => Promise<void>,
): Promise<number> {
  const failures: unknown[] = [];
  let ended = 0;
  for (;;) {
    const due = await listDue(expiredAtOnce);
    for (const each of due) await end(each).catch((error: unknown) => failures.push(error));
    ended += due.length;
    if (due.length < expiredAtOnce || failures.length > 0) break;
  }
  if (failures.length > 0) throw new AggregateError(failures, 'requests could not be ended');
  return ended;
}

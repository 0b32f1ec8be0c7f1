import { databaseFault, isDatabaseAway } from '#db/pool.ts';
import {
  KeyChanged,
  type NonceAnswer,
  type NonceClaim,
  NonceRefused,
  type OpenNonce,
  type Person,
  type Program,
  type StaffMember,
} from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';

/** Options of a {@link CallNonce}. */
interface CallNonceOptions {
  claim: NonceClaim;
  /** Claims it in a transaction of its own; returns the calling program as its key is now, and whether that is the verified one. */
  claimAlone: () => Promise<{ program: Program; isUnchanged: boolean }>;
  /** Called once it is claimed by the transaction that did the call's work. */
  onClaimed: () => void;
}

/**
 * The nonce of a signed call whose work may claim it. A class, because an object literal with accessors gets a hidden class of its own each
 * time, which lives until the next full collection.
 */
export class CallNonce implements OpenNonce {
  isOpen = true;
  readonly #options: CallNonceOptions;

  constructor(options: CallNonceOptions) {
    this.#options = options;
  }

  get claim(): NonceClaim {
    return this.#options.claim;
  }

  settle(answer: NonceAnswer): void {
    if (answer !== 'claimed') throw new NonceRefused(answer);
    this.isOpen = false;
    this.#options.onClaimed();
  }

  async claimAlone(): Promise<void> {
    this.isOpen = false;
    const { program, isUnchanged } = await this.#options.claimAlone();
    if (!isUnchanged) throw new KeyChanged(program);
  }
}

/** Any caller; undefined for an anonymous one. */
export type Caller = Person | Program | StaffMember | undefined;

/**
 * Does the work of a call, whose transaction may claim the nonce. If the call is refused before that, its nonce is claimed before anybody
 * learns of the refusal: a repeated call gets `nonce_replayed`, whatever else is wrong with it. Work that was refused its nonce because
 * the key has changed has done nothing, and is done for the key as it is now.
 */
export async function claimingNonce<T>(caller: Caller, work: (caller: Caller) => Promise<T>): Promise<T> {
  const nonce = caller?.kind === 'program' ? caller.openNonce : undefined;
  if (!nonce) return work(caller);
  const result = await work(caller).catch(async (error: unknown) => {
    if (error instanceof KeyChanged) return work(error.program);
    if (!nonce.isOpen || !wasRefused(error)) throw error;
    const current = await claimNow(nonce, caller);
    if (error instanceof NonceRefused) return work(current);
    throw error;
  });
  if (nonce.isOpen) throw new Error('the work of a call has not claimed its nonce');
  return result;
}

/** Whether an error says that nothing was done. Otherwise, the work may be committed with its nonce, and `nonce_replayed` would deny it. */
function wasRefused(error: unknown): boolean {
  if (error instanceof Refusal || error instanceof NonceRefused) return true;
  return databaseFault(error) !== undefined && !isDatabaseAway(error);
}

/** Claims the nonce of a call that has done nothing; returns the caller as its key is now. */
export async function claimNow(nonce: OpenNonce, caller: Caller): Promise<Caller> {
  try {
    await nonce.claimAlone();
    return caller;
  } catch (error) {
    if (error instanceof KeyChanged) return error.program;
    throw error;
  }
}

import {
  type NonceAnswer,
  type NonceClaim,
  NonceRefused,
  type OpenNonce,
  type Person,
  type Program,
  type StaffMember,
} from '#domain/caller.ts';

/** Options of a {@link CallNonce}. */
interface CallNonceOptions {
  claim: NonceClaim;
  /** Claims it in a transaction of its own; returns the calling program as its key is now. */
  claimAlone: () => Promise<Program>;
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

  claimAlone(): Promise<Program> {
    this.isOpen = false;
    return this.#options.claimAlone();
  }
}

type Caller = Person | Program | StaffMember | undefined;

/**
 * Does the work of a call, whose transaction may claim the nonce. If it has not, for whatever reason, the nonce is claimed before anybody
 * learns of the outcome: a repeated call gets `nonce_replayed`, never the reply of the call that it repeats. Work that was refused its
 * nonce because the key has changed has done nothing, and is done for the key as it is now.
 */
export async function claimingNonce<T>(caller: Caller, work: (caller: Caller) => Promise<T>): Promise<T> {
  const nonce = caller?.kind === 'program' ? caller.openNonce : undefined;
  if (!nonce) return work(caller);
  try {
    const result = await work(caller);
    if (nonce.isOpen) await nonce.claimAlone();
    return result;
  } catch (error) {
    if (!nonce.isOpen) throw error;
    const current = await nonce.claimAlone();
    if (error instanceof NonceRefused) return work(current);
    throw error;
  }
}

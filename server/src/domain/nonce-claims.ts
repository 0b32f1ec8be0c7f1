import type { NonceAnswer, NonceClaim, OpenNonce } from './caller.ts';

/** The answers to a claim that was refused. */
export type NonceRefusal = Exclude<NonceAnswer, 'claimed'>;

/** Work of a call whose nonce may be open. */
interface WorkOfCall {
  nonce?: OpenNonce | undefined;
}

/** Returns a claim as an item of the argument of `claim_call_nonces`. */
export function claimColumns({ merchantId, keyId, revision, nonce }: NonceClaim, index: number) {
  return { place: index + 1, merchant_id: String(merchantId), key_id: keyId, revision, nonce };
}

/** Returns the open nonces of calls as the argument of `claim_call_nonces`; undefined if there are none. Places count from 1. */
export function claimsOf(calls: readonly WorkOfCall[]): string | undefined {
  const claims = calls.flatMap(({ nonce }, index) =>
    nonce?.isOpen ? [claimColumns(nonce.claim, index)] : [],
  );
  return claims.length > 0 ? JSON.stringify(claims) : undefined;
}

/** Returns the answer to the claim that the outcome of a call's work contains. */
const answerIn = (outcome: unknown): NonceAnswer =>
  outcome === 'replayed' || outcome === 'changed' ? outcome : 'claimed';

/** Takes the answer to the claim of an open nonce from the outcome of its call's work. Throws a {@link NonceRefused}. */
export function settleNonce({ nonce }: WorkOfCall, outcome: unknown): void {
  if (nonce?.isOpen) nonce.settle(answerIn(outcome));
}

/** Claims an open nonce in a transaction of its own. Throws a Refusal or a {@link KeyChanged}. */
export async function claimAlone({ nonce }: WorkOfCall): Promise<void> {
  if (nonce?.isOpen) await nonce.claimAlone();
}

/** Names an open nonce, which no two calls of a transaction may claim. */
export function nonceKeysOf({ nonce }: WorkOfCall): string[] {
  return nonce?.isOpen ? [`nonce ${nonce.claim.keyId} ${nonce.claim.nonce}`] : [];
}

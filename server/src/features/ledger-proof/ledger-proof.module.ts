import type { FeatureModule, ModuleDeps } from '../module.ts';
import { LedgerProof, proofRecurring } from './ledger-proof.service.ts';

/** The daily proof that the ledger balances. */
export function ledgerProofModule({ database }: ModuleDeps) {
  const proof = new LedgerProof(database);
  return {
    services: { proof },
    tasks: { own: proof.tasks },
    recurring: proofRecurring,
  } satisfies FeatureModule;
}

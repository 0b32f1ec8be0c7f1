import type { factorResetEndpoints } from '@hengfu/contract/staff/factor-resets';
import { Refusal } from '#domain/refusal.ts';
import type { Handlers } from '#http/bind.ts';
import type { FactorResets } from './factor-resets.ts';

/** Handles the calls about second factors of merchants' people. */
export function factorResetHandlers(resets: FactorResets): Handlers<typeof factorResetEndpoints> {
  return {
    ask: async ({ caller: member, request, params: { code, person_id: id }, body: { reason } }) => {
      const person = await resets.personOf(code, BigInt(id));
      const asked = await resets.ask(person, { member, request }, reason);
      // Only an operator acts alone.
      if (asked === undefined) throw new Error('a reset was not asked for');
      return { data: { request: String(asked) } };
    },
    code: async ({ caller: member, request, params: { code, person_id: id } }) => {
      const person = await resets.personOf(code, BigInt(id));
      const taken = await resets.takeCode(person, { member, request });
      if (taken === undefined) throw new Refusal('not_found');
      return { data: { code: taken } };
    },
  };
}

import { parseAmount } from '@hengfu/contract/money';
import type { withdrawalTermsEndpoints } from '@hengfu/contract/staff/merchant-terms';
import { fieldRefusal } from '#domain/refusal.ts';
import type { Handlers } from '#http/bind.ts';
import type { WithdrawalTermsRequests } from './withdrawal-terms.ts';

/** Handles the calls of our staff about the terms on which merchants withdraw. */
export function withdrawalTermsHandlers(
  requests: WithdrawalTermsRequests,
): Handlers<typeof withdrawalTermsEndpoints> {
  return {
    ask: async ({ caller: member, request, params: { code }, body }) => {
      const { reason, freePerDay, seenFrom } = body;
      const terms = {
        feeUsdtMinor: usdtOf('fee', body.fee),
        freePerDay: Number(freePerDay),
        minimumUsdtMinor: usdtOf('minimum', body.minimum),
      };
      return {
        data: { request: String(await requests.ask(code, { member, request }, terms, { reason, seenFrom })) },
      };
    },
  };
}

/** Reads an amount of USDT. Throws `validation_failed` on its field. */
function usdtOf(field: string, text: string): bigint {
  const amountMinor = parseAmount(text, 'USDT');
  if (amountMinor === undefined) throw fieldRefusal(field, 'validation.amount');
  return amountMinor;
}

import { type Currency, parseAmount } from '@hengfu/contract/money';
import type { LimitName } from '@hengfu/contract/staff/limits';
import type { merchantSettingsEndpoints } from '@hengfu/contract/staff/merchant-settings';
import { fieldRefusal } from '#domain/refusal.ts';
import type { Handlers } from '#http/bind.ts';
import type { Limits, MerchantLimitRequests } from './limits.requests.ts';
import type { SettlementRequests } from './settlement.requests.ts';

/** Handles the calls of our staff about limits and settlement cycles of merchants. */
export function merchantSettingsHandlers(
  limits: MerchantLimitRequests,
  settlements: SettlementRequests,
): Handlers<typeof merchantSettingsEndpoints> {
  return {
    askLimits: async ({ caller: member, request, params: { code }, body: { reason, seen, ...fields } }) => {
      const asked = await limits.ask(code, { member, request }, (currency) => toLimits(fields, currency), {
        reason,
        shown: seen,
      });
      return { data: { request: String(asked) } };
    },
    askSettlement: async ({ caller: member, request, params: { code }, body }) => {
      const { reason, cycle, cutOff, seen: shown } = body;
      const weekday = cycle === 'weekly' ? body.weekday : null;
      const asked = await settlements.ask(
        code,
        { member, request },
        { cycle, weekday, cutOff },
        { reason, shown },
      );
      return { data: { request: String(asked) } };
    },
  };
}

/** Reads limits as a form has them. Throws `validation_failed` on the field of one that is no amount above zero. */
function toLimits(fields: Readonly<Record<LimitName, string>>, currency: Currency): Limits {
  const limit = (name: LimitName) => {
    if (fields[name] === '') return null;
    const amountMinor = parseAmount(fields[name], currency);
    if (amountMinor === undefined || amountMinor <= 0n) throw fieldRefusal(name, 'validation.amount');
    return amountMinor;
  };
  return {
    payout: limit('payout'),
    payoutsOfDay: limit('payoutsOfDay'),
    withdrawalsOfDay: limit('withdrawalsOfDay'),
    collection: limit('collection'),
  };
}

import { factorResetEndpoints } from '@hengfu/contract/staff/factor-resets';
import { merchantSettingsEndpoints } from '@hengfu/contract/staff/merchant-settings';
import { channelTermsEndpoints } from '@hengfu/contract/staff/merchant-terms';
import { staffMerchantEndpoints } from '@hengfu/contract/staff/merchants';
import { feature } from '#http/bind.ts';
import type { StaffDeps, StaffModule } from '../module.ts';
import { merchantOfficeHandlers } from './office/merchant-office.routes.ts';
import { type InviteOwner, MerchantOffice } from './office/merchant-office.service.ts';
import { factorResetHandlers } from './resets/factor-resets.routes.ts';
import { FactorResets } from './resets/factor-resets.ts';
import { MerchantLimitRequests, merchantLimitEffects } from './settings/limits.requests.ts';
import { merchantSettingsHandlers } from './settings/settings.routes.ts';
import { SettlementRequests, settlementCycleEffects } from './settings/settlement.requests.ts';
import { channelTermsHandlers } from './terms/channel-terms.routes.ts';
import { ChannelTermsService, channelTermsEffects } from './terms/channel-terms.ts';

/** Merchants in the back office: list, details, notes, the help of support, and new merchants. */
export function merchantOfficeModule({ database, secrets, requests }: StaffDeps, inviteOwner: InviteOwner) {
  const office = new MerchantOffice({ database, secrets, inviteOwner });
  const merchantLimits = new MerchantLimitRequests(database, requests);
  const settlementCycles = new SettlementRequests(database, requests);
  const channelTerms = new ChannelTermsService(database, requests);
  const factorResets = new FactorResets({ database, requests, secrets });
  return {
    services: { channelTerms, merchantLimits, settlementCycles, factorResets },
    endpoints: () => [
      feature(staffMerchantEndpoints, merchantOfficeHandlers(office)),
      feature(merchantSettingsEndpoints, merchantSettingsHandlers(merchantLimits, settlementCycles)),
      feature(channelTermsEndpoints, channelTermsHandlers(channelTerms)),
      feature(factorResetEndpoints, factorResetHandlers(factorResets)),
    ],
    requests: {
      channelTerms: channelTermsEffects,
      factorReset: factorResets.effects,
      merchantLimits: merchantLimitEffects,
      settlementCycle: settlementCycleEffects,
    },
    sweep: () => factorResets.sweep(),
  } satisfies StaffModule;
}

import { channelTermsEndpoints } from '@hengfu/contract/staff/merchant-terms';
import { staffMerchantEndpoints } from '@hengfu/contract/staff/merchants';
import { feature } from '#http/bind.ts';
import type { StaffDeps, StaffModule } from '../module.ts';
import { merchantOfficeHandlers } from './office/merchant-office.routes.ts';
import { type InviteOwner, MerchantOffice } from './office/merchant-office.service.ts';
import { channelTermsHandlers } from './terms/channel-terms.routes.ts';
import { ChannelTermsService, channelTermsEffects } from './terms/channel-terms.ts';

/** Merchants in the back office: list, details, notes, the help of support, and new merchants. */
export function merchantOfficeModule({ database, secrets, requests }: StaffDeps, inviteOwner: InviteOwner) {
  const office = new MerchantOffice({ database, secrets, inviteOwner });
  const channelTerms = new ChannelTermsService(database, requests);
  return {
    services: { channelTerms },
    endpoints: () => [
      feature(staffMerchantEndpoints, merchantOfficeHandlers(office)),
      feature(channelTermsEndpoints, channelTermsHandlers(channelTerms)),
    ],
    requests: { channelTerms: channelTermsEffects },
  } satisfies StaffModule;
}

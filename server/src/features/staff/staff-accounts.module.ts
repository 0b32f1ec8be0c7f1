import { staffAccountEndpoints } from '@hengfu/contract/staff/accounts';
import { feature } from '#http/bind.ts';
import type { StaffDeps, StaffModule } from '../module.ts';
import { AccountList } from './accounts/account-list.ts';
import { AccountRequests } from './accounts/account-requests.ts';
import { accountHandlers } from './accounts/accounts.routes.ts';

/** The accounts of our staff in the back office. */
export function staffAccountsModule({ database, requests, secrets, signIn }: StaffDeps) {
  const list = new AccountList(database);
  const accountRequests = new AccountRequests({
    database,
    requests,
    secrets,
    isFactorRequired: signIn.isFactorRequired,
  });
  return {
    services: { accountRequests },
    endpoints: () => [feature(staffAccountEndpoints, accountHandlers(list, accountRequests))],
    requests: { staffAccount: accountRequests.effects },
    sweep: () => list.sweep(),
  } satisfies StaffModule;
}

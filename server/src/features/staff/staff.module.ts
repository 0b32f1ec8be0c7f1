import { staffPasskeyEndpoints } from '@hengfu/contract/staff/passkeys';
import { staffSessionEndpoints } from '@hengfu/contract/staff/session';
import { feature } from '#http/bind.ts';
import type { StaffDeps, StaffModule } from '../module.ts';
import { staffPasskeyHandlers } from './passkeys/staff-passkeys.routes.ts';
import { staffHandlers } from './staff.routes.ts';
import { StaffService } from './staff.service.ts';
import { StaffAccounts } from './staff-accounts.ts';
import { StaffPassword } from './staff-password.ts';

/** The accounts of our staff, and how they sign in and out. */
export function staffModule({ database, accountsDatabase, signIn, passkeys }: StaffDeps) {
  const staff = new StaffService(database);
  const password = new StaffPassword(database, accountsDatabase);
  return {
    services: { staffAccounts: new StaffAccounts(accountsDatabase) },
    endpoints: (guards) => [
      feature(staffSessionEndpoints, staffHandlers({ signIn, staff, password }, guards)),
      feature(staffPasskeyEndpoints, staffPasskeyHandlers({ passkeys, signIn }, guards)),
    ],
    sweep: () => staff.sweep(),
  } satisfies StaffModule;
}

import type { StaffDeps, StaffModule } from '../module.ts';
import { OperatorPermits } from './operator-permits.service.ts';

/** Commands of operators that a second person agrees to in the back office. */
export function operatorPermitsModule({ database, requests }: StaffDeps) {
  const operatorPermits = new OperatorPermits(database, requests);
  return {
    services: { operatorPermits },
    endpoints: () => [],
    requests: { fundsTransfer: operatorPermits.effects, merchantAccess: operatorPermits.effects },
    sweep: () => operatorPermits.sweep(),
  } satisfies StaffModule;
}

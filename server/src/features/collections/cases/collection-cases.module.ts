import { collectionCaseEndpoints } from '@hengfu/contract/staff/orders';
import { feature } from '#http/bind.ts';
import type { StaffDeps, StaffModule } from '../../module.ts';
import { collectionCaseHandlers } from './collection-cases.routes.ts';
import { CollectionCases } from './collection-cases.service.ts';

/** One collection of any merchant in the back office, and the action that its state allows. */
export function collectionCasesModule({ database, archive }: StaffDeps) {
  const cases = new CollectionCases(database, archive);
  return {
    services: {},
    endpoints: () => [feature(collectionCaseEndpoints, collectionCaseHandlers(cases))],
  } satisfies StaffModule;
}

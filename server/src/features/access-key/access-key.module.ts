import { accessKeyEndpoints } from '@hengfu/contract/access-key';
import type { Person } from '#domain/caller.ts';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { accessKeyApproval } from './access-key.approval.ts';
import { accessKeyHandlers } from './access-key.routes.ts';
import { AccessKeyService } from './access-key.service.ts';

/** Access keys of merchants' systems. `checkFactor` verifies the second factor of the person in charge. */
export function accessKeyModule(
  { database, secrets }: ModuleDeps,
  checkFactor: (person: Person, code: string | undefined) => Promise<void>,
) {
  const accessKey = new AccessKeyService(database, secrets, checkFactor);
  return {
    services: { accessKey, accessKeyApproval: accessKeyApproval(secrets) },
    endpoints: () => [feature(accessKeyEndpoints, accessKeyHandlers(accessKey))],
  } satisfies FeatureModule;
}

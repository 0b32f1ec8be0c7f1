import { accessKeyEndpoints } from '@hengfu/contract/access-key';
import { accessKeysEndpoints } from '@hengfu/contract/access-keys';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { accessKeyApproval } from './access-key.approval.ts';
import { accessKeyHandlers } from './access-key.routes.ts';
import { AccessKeyService } from './access-key.service.ts';
import { accessKeysHandlers } from './access-keys.routes.ts';
import { AccessKeysService } from './access-keys.service.ts';
import type { CheckCode } from './key-flows.ts';
import { warnOfExpiry, warnTask } from './warnings/key-warnings.ts';

/** Access keys of merchants' systems. `checkFactor` verifies the second factor of the person in charge. */
export function accessKeyModule({ database, secrets }: ModuleDeps, checkFactor: CheckCode) {
  const accessKey = new AccessKeyService(database, secrets, checkFactor);
  const accessKeys = new AccessKeysService(database, secrets, checkFactor);
  return {
    services: { accessKey, accessKeys, accessKeyApproval: accessKeyApproval(secrets) },
    endpoints: () => [
      feature(accessKeyEndpoints, accessKeyHandlers(accessKey)),
      feature(accessKeysEndpoints, accessKeysHandlers(accessKeys)),
    ],
    tasks: { own: { [warnTask]: () => warnOfExpiry(database) } },
    recurring: [{ task: warnTask, everySeconds: 600 }],
  } satisfies FeatureModule;
}

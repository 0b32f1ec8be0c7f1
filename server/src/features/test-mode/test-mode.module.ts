import { testModeEndpoints } from '@hengfu/contract/test-mode';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { testModeHandlers } from './test-mode.routes.ts';
import { TestModeService } from './test-mode.service.ts';

/** Test mode: the merchant beside each live merchant in which it tries things out, without real money. */
export function testModeModule({ database, adapters }: ModuleDeps) {
  const testMode = new TestModeService(database, adapters.has('sandbox'));
  return {
    services: { testMode },
    endpoints: (guards) => [feature(testModeEndpoints, testModeHandlers(testMode, guards))],
  } satisfies FeatureModule;
}

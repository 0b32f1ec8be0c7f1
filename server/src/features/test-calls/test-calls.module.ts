import { testCallEndpoints } from '@hengfu/contract/test-calls';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { testCallHandlers } from './test-calls.routes.ts';
import { TestCallService } from './test-calls.service.ts';

/** Signed calls that people make in test mode, on the page of the Open API. */
export function testCallsModule({ database, secrets }: ModuleDeps) {
  const testCalls = new TestCallService(database, secrets);
  return {
    services: { testCalls },
    endpoints: () => [feature(testCallEndpoints, testCallHandlers(testCalls))],
  } satisfies FeatureModule;
}

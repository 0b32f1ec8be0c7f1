import { callbackAddressEndpoints } from '@hengfu/contract/callback-addresses';
import { callbackEndpointEndpoints } from '@hengfu/contract/callback-endpoints';
import { callbackMessageEndpoints } from '@hengfu/contract/callback-messages';
import { ArchiveReader } from '#archive/archive-reader.ts';
import type { Person } from '#domain/caller.ts';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { CallbackChecks } from './callback-checks.service.ts';
import { endpointApproval } from './callback-endpoints.approval.ts';
import { CallbackEndpoints } from './callback-endpoints.service.ts';
import { CallbackMessages } from './callback-messages.service.ts';
import { releaseTasks, unreleasedTask } from './callback-release.ts';
import {
  callbackAddressHandlers,
  callbackEndpointHandlers,
  callbackMessageHandlers,
} from './callbacks.routes.ts';

const unreleasedSeconds = 60;

/**
 * The callbacks of a merchant, and the endpoints that receive them. `checkFactor` verifies the second factor of the person in charge.
 */
export function callbacksModule(
  { database, secrets, targets, archive }: ModuleDeps,
  checkFactor: (person: Person, code: string | undefined) => Promise<void>,
) {
  const callbackEndpoints = new CallbackEndpoints(database, secrets, checkFactor);
  const callbackMessages = new CallbackMessages(database, new ArchiveReader(archive));
  const checks = new CallbackChecks(database, secrets, targets);
  const release = releaseTasks(database);
  return {
    services: { callbackEndpoints, callbackMessages, endpointApproval: endpointApproval(secrets) },
    endpoints: () => [
      feature(callbackEndpointEndpoints, callbackEndpointHandlers(callbackEndpoints, checks)),
      feature(callbackAddressEndpoints, callbackAddressHandlers(checks)),
      feature(callbackMessageEndpoints, callbackMessageHandlers(callbackMessages)),
    ],
    tasks: { callbacks: { ...checks.tasks, ...release.merchant }, own: release.own },
    recurring: [{ task: unreleasedTask, everySeconds: unreleasedSeconds }],
    sweeps: [callbackEndpoints.sweep],
  } satisfies FeatureModule;
}

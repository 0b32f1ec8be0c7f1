import { profileEndpoints } from '@hengfu/contract/profile';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { profileHandlers } from './profile.routes.ts';
import { ProfileService } from './profile.service.ts';

/** Settings that users make for themselves: name, email, password, language, time zone. */
export function profileModule({ database }: ModuleDeps) {
  const profile = new ProfileService(database);
  return {
    services: { profile },
    endpoints: (guards) => [feature(profileEndpoints, profileHandlers(profile, guards))],
  } satisfies FeatureModule;
}

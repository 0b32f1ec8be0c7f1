import { ipAddressEndpoints } from '@hengfu/contract/ip-address';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { ipAddressApproval } from './ip-address.approval.ts';
import { ipAddressHandlers } from './ip-address.routes.ts';
import { IpAddressService } from './ip-address.service.ts';

/** The IP whitelist: addresses that a merchant's systems may call from. */
export function ipAddressModule({ database }: ModuleDeps) {
  const ipAddress = new IpAddressService(database);
  return {
    services: { ipAddress, ipAddressApproval },
    endpoints: () => [feature(ipAddressEndpoints, ipAddressHandlers(ipAddress))],
  } satisfies FeatureModule;
}

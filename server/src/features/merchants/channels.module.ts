import { staffChannelEndpoints } from '@hengfu/contract/staff/channels';
import { feature } from '#http/bind.ts';
import type { StaffDeps, StaffModule } from '../module.ts';
import { staffChannelHandlers } from './channels/channels.routes.ts';
import { ChannelService } from './channels/channels.service.ts';

/** The channels in the back office, by the same service as the operators' commands. */
export function channelsModule({ database }: StaffDeps) {
  return {
    services: {},
    endpoints: () => [feature(staffChannelEndpoints, staffChannelHandlers(new ChannelService(database)))],
  } satisfies StaffModule;
}

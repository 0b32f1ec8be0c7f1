import { orderEndpoints } from '@hengfu/contract/staff/orders';
import { feature } from '#http/bind.ts';
import type { StaffDeps, StaffModule } from '../module.ts';
import { orderHandlers } from './orders.routes.ts';
import { OrdersService } from './orders.service.ts';

/** The payouts and collections of all merchants in the back office. */
export function ordersModule({ database }: StaffDeps) {
  const orders = new OrdersService(database);
  return {
    services: {},
    endpoints: () => [feature(orderEndpoints, orderHandlers(orders))],
  } satisfies StaffModule;
}

import { requestLogEndpoints } from '@hengfu/contract/request-log';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { requestLogHandlers } from './request-log.routes.ts';
import { RequestLogService, requestLogRecurring } from './request-log.service.ts';

/** The request log: the signed calls of a merchant's systems. */
export function requestLogModule({ database, log }: ModuleDeps) {
  const requestLog = new RequestLogService(database, (err, blockId) =>
    log.warn({ err, blockId }, 'calls of the request log cannot be read'),
  );
  return {
    services: { requestLog },
    endpoints: () => [feature(requestLogEndpoints, requestLogHandlers(requestLog))],
    tasks: { own: requestLog.tasks },
    recurring: requestLogRecurring,
  } satisfies FeatureModule;
}

import { reconciliationEndpoints } from '@hengfu/contract/staff/reconciliation';
import { feature } from '#http/bind.ts';
import type { StaffDeps, StaffModule } from '../module.ts';
import { Adjustments, adjustmentEffects } from './adjustments.ts';
import { StatementSpool } from './loading/spool.ts';
import { StatementLoader } from './loading/statement-loader.ts';
import { StatementUploads } from './loading/statement-uploads.ts';
import { reconciliationHandlers } from './reconciliation.routes.ts';
import { ReconciliationService } from './reconciliation.service.ts';

/** The reconciliation of channels' statements in the back office. */
export function reconciliationModule({ database, requests, log }: StaffDeps) {
  const onError = (error: unknown) => log.warn({ err: error }, 'a statement could not be loaded');
  const service = new ReconciliationService(database);
  const spool = new StatementSpool();
  const uploads = new StatementUploads(database, new StatementLoader(database, onError), spool);
  return {
    services: {},
    endpoints: () => {
      void spool.clean().catch(onError);
      return [
        feature(
          reconciliationEndpoints,
          reconciliationHandlers(service, uploads, new Adjustments(database, requests)),
        ),
      ];
    },
    requests: { adjustment: adjustmentEffects },
    sweep: () => service.sweep(),
  } satisfies StaffModule;
}

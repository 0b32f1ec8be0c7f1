import { batchHeadingEndpoints } from '@hengfu/contract/batch-headings';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { batchHeadingHandlers } from './batch-headings.routes.ts';
import { BatchHeadingService } from './batch-headings.service.ts';

/** The headings of merchants' own files, and the columns of batch payouts that they stand for. */
export function batchHeadingsModule({ database }: ModuleDeps) {
  const batchHeadings = new BatchHeadingService(database);
  return {
    services: { batchHeadings },
    endpoints: () => [feature(batchHeadingEndpoints, batchHeadingHandlers(batchHeadings))],
  } satisfies FeatureModule;
}

import { auditEndpoints } from '@hengfu/contract/audit-log';
import { reading } from '../../platform/reading.ts';

/** One entry of the audit log. */
export const auditEntryOptions = (entryNo: string) =>
  reading(auditEndpoints.get, { params: { entry_no: entryNo } });

import { approvalEndpoints } from '@hengfu/contract/approvals';
import { reading } from '../../platform/reading.ts';

/** The rules, and the people whom a rule can name. */
export const rulesOptions = reading(approvalEndpoints.rules);

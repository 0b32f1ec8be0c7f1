import { teamEndpoints } from '@hengfu/contract/team';
import { reading } from '../../platform/reading.ts';

/** The members of the merchant's team, and its open invitations. */
export const teamOptions = reading(teamEndpoints.list);

import { checkPayout, payoutOrder } from '@hengfu/contract/payout-fields';
import * as z from 'zod';

/** What the form must hold before anything is asked of the server: the contract's own rules. */
export const payoutOrderSchema = z.object(payoutOrder).superRefine(checkPayout);

/** A payout as it was filled in. */
export type PayoutOrder = z.output<typeof payoutOrderSchema>;

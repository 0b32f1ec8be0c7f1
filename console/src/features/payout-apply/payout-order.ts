import { checkPayout, payoutOrder } from '@hengfu/contract/payout-fields';
import * as z from 'zod';

/** The contract's own rules, which the form must satisfy before it is sent. */
export const payoutOrderSchema = z.object(payoutOrder).superRefine(checkPayout);

/** A payout as filled in. */
export type PayoutOrder = z.output<typeof payoutOrderSchema>;

import * as z from 'zod';
import { instant } from '../lists.ts';
import { requiredText } from '../visible-text.ts';

/** Minutes after which a case that somebody took and did not decide is free again. */
export const claimMinutes = 15;

/** The person who works on a case. */
export const caseClaim = z.object({ name: z.string(), isOwn: z.boolean(), at: instant });

/** The cases on one page of a queue. */
export const casesPerPage = 50;

/** Query of a queue: the number of the last case of the page before. */
export const queuePage = z.object({ after: z.string().max(64).optional() });

/** Path parameter of a call about one case. */
export const oneCase = z.object({ trade_no: z.string().max(64) });

/** Body of a rejection. The merchant reads the reason. */
export const rejection = z.strictObject({
  reason: requiredText('validation.reasonRequired', 300, 'validation.reasonLength'),
});

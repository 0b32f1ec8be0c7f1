import { accessKeyEndpoints } from '@hengfu/contract/access-key';
import type { ReplyOf } from '@hengfu/contract/endpoint';
import { reading } from '../../platform/reading.ts';

/** The merchant's access key, without its secret. */
export const accessKeyOptions = reading(accessKeyEndpoints.get);

/** A key with its secret. */
export type ShownKey = Extract<ReplyOf<typeof accessKeyEndpoints.secret>['data'], { secret: string }>;

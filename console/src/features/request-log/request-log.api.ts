import { requestLogEndpoints } from '@hengfu/contract/request-log';
import { reading } from '../../platform/reading.ts';

/** One signed call with its bodies. */
export const requestOptions = (requestId: string) =>
  reading(requestLogEndpoints.get, { params: { request_id: requestId } });

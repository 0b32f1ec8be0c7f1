import { paymentLinkEndpoints } from '@hengfu/contract/payment-links';
import { reading } from '../../platform/reading.ts';

/** Key of every link's detail, for invalidation. */
export const linkDetailKey = [paymentLinkEndpoints.get.path] as const;

/** One payment link. */
export function linkOptions(linkNo: string) {
  return reading(paymentLinkEndpoints.get, { params: { link_no: linkNo } });
}

/** The picture of a payment link. */
export function pictureOptions(linkNo: string) {
  return reading(paymentLinkEndpoints.picture, { params: { link_no: linkNo } });
}

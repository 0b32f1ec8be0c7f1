import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { PayoutSlipPage } from '../../features/payout-slips/payout-slip-page.tsx';

const route = getRouteApi('/slip/$token');

/** Shows the receipt of the token in the address. */
export function SlipOfLink(): ReactElement {
  const { token } = route.useParams();
  return <PayoutSlipPage token={token} />;
}

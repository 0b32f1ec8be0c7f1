import type { PayLink } from '@hengfu/contract/pay-links';
import type { ReactNode } from 'react';
import { CashierFrame, FrameLoading, useTitle } from '../cashier-frame.tsx';

interface PayLinkFrameProps {
  /** The product's name. */
  title: string;
  /** The link, once it is known; its merchant's name, color and logo are in the frame. */
  link: Pick<PayLink, 'merchant' | 'color' | 'logo' | 'registeredName'> | undefined;
  /** The window's title. */
  name: string | undefined;
  isBusy: boolean;
  children: ReactNode;
}

/** The frame of a payment link's page, which looks as that of the checkout. */
export function PayLinkFrame({ title, link, name, isBusy, children }: PayLinkFrameProps) {
  useTitle(name ?? title);
  const brand = link
    ? { name: link.merchant, color: link.color, logo: link.logo, registeredName: link.registeredName }
    : null;
  return (
    <CashierFrame title={title} brand={brand} isBusy={isBusy}>
      {isBusy && <FrameLoading />}
      {children}
    </CashierFrame>
  );
}

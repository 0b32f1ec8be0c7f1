import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { ChooserPage } from '../../features/workplaces/chooser-page.tsx';
import { queryClient } from '../../platform/query-client.ts';
import { safeRedirect } from '../../platform/redirect.ts';

const route = getRouteApi('/workplace');

/** The choice of a merchant. Continues to the original address by a full page load. */
export function ChooseMerchant(): ReactElement {
  const { redirect } = route.useSearch();
  const { endSession } = route.useRouteContext();
  const navigate = useNavigate();
  const { history } = useRouter();
  return (
    <ChooserPage
      target={history.createHref(safeRedirect(redirect ?? null))}
      onSignOut={async () => {
        await endSession();
        await navigate({ to: '/login', search: {} });
        queryClient.clear();
      }}
    />
  );
}

import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { FirstBindingPage } from '../../features/two-factor/first-binding-page.tsx';
import { queryClient } from '../../platform/query-client.ts';
import { safeRedirect } from '../../platform/redirect.ts';
import { sessionUser } from '../../platform/session-store.ts';

const route = getRouteApi('/authentication');

/** The first binding. Continues to the original address by a full page load, which also reloads the user. */
export function FirstBinding(): ReactElement {
  const { redirect } = route.useSearch();
  const { endSession } = route.useRouteContext();
  const navigate = useNavigate();
  const { history } = useRouter();
  return (
    <FirstBindingPage
      onDone={() => location.assign(history.createHref(safeRedirect(redirect ?? null)))}
      onOtherMerchant={
        sessionUser()?.hasOtherMerchants ? () => void navigate({ to: '/workplace', search: {} }) : undefined
      }
      onSignOut={async () => {
        await endSession();
        await navigate({ to: '/login', search: {} });
        queryClient.clear();
      }}
    />
  );
}

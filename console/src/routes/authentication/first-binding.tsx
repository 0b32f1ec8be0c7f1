import { getRouteApi, useRouter } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { FirstBindingPage } from '../../features/two-factor/first-binding-page.tsx';
import { safeRedirect } from '../../platform/redirect.ts';

const route = getRouteApi('/authentication');

/** The first binding. Continues to the original address by a full page load, which also reloads the user. */
export function FirstBinding(): ReactElement {
  const { redirect } = route.useSearch();
  const { history } = useRouter();
  return (
    <FirstBindingPage onDone={() => location.assign(history.createHref(safeRedirect(redirect ?? null)))} />
  );
}

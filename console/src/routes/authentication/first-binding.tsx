import { getRouteApi, useRouter } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { FirstBindingPage } from '../../features/two-factor/first-binding-page.tsx';
import { safeRedirect } from '../../platform/redirect.ts';

const route = getRouteApi('/authentication');

/** The first binding, and then on to where the user was going: with what the server says of the user anew. */
export function FirstBinding(): ReactElement {
  const { redirect } = route.useSearch();
  const { history } = useRouter();
  return (
    <FirstBindingPage onDone={() => location.assign(history.createHref(safeRedirect(redirect ?? null)))} />
  );
}

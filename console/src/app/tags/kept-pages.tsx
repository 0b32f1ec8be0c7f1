import { CatchBoundary, Outlet } from '@tanstack/react-router';
import { Activity, Suspense, useMemo, useState } from 'react';
import { PagePlaceContext } from '../../platform/page-place.ts';
import { usePreferences } from '../../platform/preferences.ts';
import { CrashPage } from '../../routes/plain/error-page.tsx';
import type { PagePath } from '../menu.ts';
import { Pending } from '../pending.tsx';
import { type KeptPage, keptAfter, useActivePage } from './active-page.ts';
import { useTags } from './tags.ts';
import { useScrollOf } from './use-scroll-of.ts';

/**
 * The page on screen, and those with a tag that are away: mounted, hidden, without effects, each with the address it
 * was left with. What is not kept (the dashboard, pages with secrets, error pages, a page that failed) is the router's.
 */
export function KeptPages() {
  const active = useActivePage();
  const tags = useTags((state) => state.tags);
  const isOn = usePreferences(({ tagsView }) => tagsView);
  const [before, setPages] = useState<readonly KeptPage[]>([]);
  const [forgotten, setForgotten] = useState<ReadonlySet<PagePath>>(new Set());

  const isKept = ({ path }: KeptPage) =>
    isOn && path !== active.redirectsTo && !forgotten.has(path) && tags.some((tag) => tag.path === path);
  const pages = keptAfter(before, active, isKept);
  if (pages !== before) setPages(pages);
  useScrollOf(pages, active.path);

  const [marks] = useState(() => ({
    forget: (path: PagePath) => setForgotten((set) => new Set([...set, path])),
    remember: (path: PagePath) => setForgotten((set) => new Set([...set].filter((other) => other !== path))),
  }));
  const isShown = pages.some(({ path }) => path === active.path);
  return (
    <>
      {pages.map((page) => (
        <Activity key={page.path} mode={page.path === active.path ? 'visible' : 'hidden'}>
          <Kept page={page} marks={marks} />
        </Activity>
      ))}
      {!isShown && (
        <Suspense fallback={<Pending />}>
          <Outlet />
        </Suspense>
      )}
    </>
  );
}

interface KeptProps {
  page: KeptPage;
  marks: Record<'forget' | 'remember', (path: PagePath) => void>;
}

function Kept({ page: { path, Component, search }, marks }: KeptProps) {
  const place = useMemo(
    () => ({
      search,
      forgetWhenLeft: () => {
        marks.forget(path);
        return () => marks.remember(path);
      },
    }),
    [search, path, marks],
  );
  return (
    <PagePlaceContext value={place}>
      <CatchBoundary getResetKey={() => search} errorComponent={CrashPage}>
        <Suspense fallback={<Pending />}>
          <Component />
        </Suspense>
      </CatchBoundary>
    </PagePlaceContext>
  );
}

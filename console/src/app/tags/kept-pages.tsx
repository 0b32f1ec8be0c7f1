import { PagePlaceContext } from '@hengfu/ui/browser/page-place.ts';
import { usePreferences } from '@hengfu/ui/theme/preferences.ts';
import { CatchBoundary, Outlet, useRouter } from '@tanstack/react-router';
import { Activity, memo, Suspense, useEffect, useMemo, useState } from 'react';
import { CrashPage } from '../../routes/plain/error-page.tsx';
import { menu, type PagePath } from '../menu.ts';
import { placeOf } from '../menu-rules.ts';
import { Pending } from '../pending.tsx';
import { type KeptPage, nextKeptPages, useActivePage } from './active-page.ts';
import { useExpectedPage } from './expected-page.ts';
import { useTags } from './tags.ts';
import { useScrollOf } from './use-scroll-of.ts';

/**
 * Renders the page on screen, and keeps the other tagged pages and the one expected next mounted but hidden, without effects, each
 * with the address it was left with. Pages that are not kept (the dashboard, pages with secrets, error pages, a
 * page that failed) are rendered by the router's outlet.
 */
export function KeptPages() {
  const active = useActivePage();
  const tags = useTags((state) => state.tags);
  const hasTags = usePreferences(({ tagsView }) => tagsView);
  const [before, setPages] = useState<readonly KeptPage[]>([]);
  const [discarded, setDiscarded] = useState<ReadonlySet<PagePath>>(new Set());

  const isKept = ({ path }: KeptPage) =>
    hasTags && path !== active.redirectsTo && !discarded.has(path) && tags.some((tag) => tag.path === path);
  const expected = useExpectedPage(({ page }) => page);
  const pages = nextKeptPages(before, active, expected, isKept);
  if (pages !== before) setPages(pages);
  useScrollOf(pages, active.path);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whichever page was opened, the guess is over.
  useEffect(() => useExpectedPage.setState({ page: undefined }), [active.path]);

  const [marks] = useState(() => ({
    discard: (path: PagePath) => setDiscarded((set) => new Set([...set, path])),
    keep: (path: PagePath) => setDiscarded((set) => new Set([...set].filter((other) => other !== path))),
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
  marks: Record<'discard' | 'keep', (path: PagePath) => void>;
}

/** A kept page. It is rendered again if its own address changes, not whenever some page is opened. */
const Kept = memo(function Kept({ page: { path, Component, search }, marks }: KeptProps) {
  const router = useRouter();
  const place = useMemo(
    () => ({
      search,
      isShown: () => placeOf(menu, router.state.location.pathname)?.page.path === path,
      resetOnLeave: () => {
        marks.discard(path);
        return () => marks.keep(path);
      },
    }),
    [search, path, marks, router],
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
});

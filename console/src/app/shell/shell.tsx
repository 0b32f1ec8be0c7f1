import { useT } from '@hengfu/ui/language/i18n.ts';
import { usePreferences } from '@hengfu/ui/theme/preferences.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { TestBand } from '../../features/test-mode/test-switch.tsx';
import { startLive } from '../../platform/live.ts';
import { queryClient } from '../../platform/query-client.ts';
import { useUser } from '../../platform/session-store.ts';
import { Announcements } from '../announcements/announcements.tsx';
import { SearchOverlay } from '../search/search-overlay.tsx';
import { KeptPages } from '../tags/kept-pages.tsx';
import { TagsView } from '../tags/tags-view.tsx';
import { useFollowTags } from '../tags/use-follow-tags.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { OwnRoles } from './own-roles.ts';
import { PageArrival } from './page-arrival.ts';
import { Questions } from './questions.tsx';
import styles from './shell.module.css';
import { ShellMenu } from './shell-menu.tsx';
import { TopBar } from './top-bar.tsx';
import { useFrame } from './use-frame.ts';
import { useOverlaysLater } from './use-overlays-later.ts';
import { UserSettings } from './user-settings.tsx';
import { Watermark } from './watermark.tsx';

/** The frame around every page: menu, top bar, tags, and overlays. When a page is opened, only the parts that show which one are rendered again. */
export function Shell() {
  const mainRef = useRef<HTMLElement>(null);
  useFollowTags();
  useEffect(startLive, []);
  useOverlaysLater();
  return (
    <QueryClientProvider client={queryClient}>
      <UserSettings>
        <Framed>
          <Announcements />
          <ConnectionBanner />
          <main id="main" ref={mainRef} className={styles.main} tabIndex={-1}>
            <KeptPages />
          </main>
        </Framed>
        <PageArrival mainRef={mainRef} />
        <Watermark />
        <SearchOverlay />
        <Questions />
        <OwnRoles />
      </UserSettings>
    </QueryClientProvider>
  );
}

/** The menu, the top bar and the tags, around the page. */
function Framed({ children }: { children: ReactNode }) {
  const t = useT();
  const frame = useFrame();
  const hasTags = usePreferences(({ tagsView }) => tagsView);
  const isFixed = usePreferences(({ fixedHeader }) => fixedHeader);
  return (
    <div
      className={styles.shell}
      data-layout={frame.layout}
      data-sidebar={frame.sidebar}
      data-animated={frame.isAnimated}
      data-fixed={isFixed}
      data-tags={hasTags}
      data-mode={useUser().merchant.mode}
    >
      <a className={styles.skip} href="#main">
        {t('shell.skipToContent')}
      </a>
      <ShellMenu frame={frame} />
      <div className={styles.head}>
        <TestBand />
        <TopBar frame={frame} />
        {hasTags && <TagsView />}
      </div>
      <div className={styles.body}>{children}</div>
    </div>
  );
}

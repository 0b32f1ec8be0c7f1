import { QueryClientProvider } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { Suspense, useEffect, useRef } from 'react';
import { useT } from '../../platform/i18n.ts';
import { startLive } from '../../platform/live.ts';
import { queryClient } from '../../platform/query-client.ts';
import { Pending } from '../pending.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { Questions } from './questions.tsx';
import styles from './shell.module.css';
import { Sidebar } from './sidebar.tsx';
import { SidebarDrawer } from './sidebar-drawer.tsx';
import { TopBar } from './top-bar.tsx';
import { useFeedbackLater } from './use-feedback-later.ts';
import { useFrame } from './use-frame.ts';
import { usePageArrival } from './use-page-arrival.ts';

/** The frame around every page: sidebar, top bar, and what pages need around them. */
export function Shell() {
  const t = useT();
  const frame = useFrame();
  const mainRef = useRef<HTMLElement>(null);
  usePageArrival(mainRef);
  useEffect(startLive, []);
  useFeedbackLater();
  return (
    <QueryClientProvider client={queryClient}>
      <div
        className={styles.shell}
        data-sidebar={frame.isMobile ? 'none' : frame.isOpen ? 'opened' : 'closed'}
        data-animated={frame.isAnimated}
      >
        <a className={styles.skip} href="#main">
          {t('shell.skipToContent')}
        </a>
        {frame.isMobile ? <SidebarDrawer frame={frame} /> : <Sidebar isOpen={frame.isOpen} />}
        <div className={styles.column}>
          <TopBar frame={frame} />
          <ConnectionBanner />
          <main id="main" ref={mainRef} className={styles.main} tabIndex={-1}>
            <Suspense fallback={<Pending />}>
              <Outlet />
            </Suspense>
          </main>
        </div>
      </div>
      <Questions />
    </QueryClientProvider>
  );
}

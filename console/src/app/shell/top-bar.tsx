import { onDemand } from '@hengfu/ui/browser/on-demand.tsx';
import { ToolButton } from '@hengfu/ui/controls/tool-button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { setPreference, usePreferences } from '@hengfu/ui/theme/preferences.ts';
import { useShownTheme } from '@hengfu/ui/theme/shown-theme.ts';
import { memo, useState } from 'react';
import { NoticeBell } from '../../features/notices/notice-bell.tsx';
import { TestSwitch } from '../../features/test-mode/test-switch.tsx';
import { MerchantMenu } from '../../features/workplaces/merchant-menu.tsx';
import { Brand } from './brand.tsx';
import { Breadcrumb } from './breadcrumb.tsx';
import { LanguageMenu } from './language-menu.tsx';
import { SearchButton } from './search-button.tsx';
import { SizeMenu } from './size-menu.tsx';
import styles from './top-bar.module.css';
import { TopMenu } from './top-menu.tsx';
import type { Frame } from './use-frame.ts';
import { useFullscreen } from './use-fullscreen.ts';
import { UserMenu } from './user-menu.tsx';

const SettingsPanel = onDemand(() => import('./settings-panel.tsx').then((module) => module.SettingsPanel));

/** The top bar: navigation on the left, tools and the user's menu on the right. */
export function TopBar({ frame }: { frame: Frame }) {
  return (
    <header className={styles.bar}>
      <Start frame={frame} />
      <Tools />
    </header>
  );
}

/** The tools do not depend on the page, so opening one leaves them alone. */
const Tools = memo(function Tools() {
  const [areSettingsOpen, setSettingsOpen] = useState(false);
  const t = useT();
  const openSettings = () => setSettingsOpen(true);
  return (
    <>
      <div className={styles.tools}>
        <MerchantMenu />
        <TestSwitch />
        <SearchButton />
        <span className={styles.wideOnly}>
          <FullscreenToggle />
          <SizeMenu />
        </span>
        <LanguageMenu />
        <span className={styles.unlessNarrowest}>
          <ThemeToggle />
        </span>
        <span className={styles.wideOnly}>
          <ToolButton icon="palette" label={t('shell.settings.open')} onClick={openSettings} />
        </span>
        <NoticeBell />
        <UserMenu openSettings={openSettings} />
      </div>
      {areSettingsOpen && <SettingsPanel onClose={() => setSettingsOpen(false)} />}
    </>
  );
});

function Start({ frame }: { frame: Frame }) {
  const { layout, groups, activeGroup } = frame;
  const hasLogo = usePreferences(({ sidebarLogo }) => sidebarLogo);
  if (layout === 'left')
    return (
      <>
        <SidebarToggle frame={frame} />
        <Breadcrumb />
      </>
    );
  return (
    <>
      {hasLogo && <Brand isNameShown={layout === 'mix'} />}
      {frame.sidebar !== 'none' && <SidebarToggle frame={frame} />}
      <TopMenu key={layout} groups={groups} activePath={activeGroup?.path} opensGroups={layout === 'top'} />
    </>
  );
}

function SidebarToggle({ frame: { isMobile, isOpen, toggle } }: { frame: Frame }) {
  const t = useT();
  if (isMobile)
    return <ToolButton icon="menu" label={t('shell.openMenu')} isOpen={isOpen} onClick={toggle} />;
  const label = t(isOpen ? 'shell.collapseSidebar' : 'shell.expandSidebar');
  return (
    <ToolButton
      icon={isOpen ? 'sidebarOpen' : 'sidebarClosed'}
      label={label}
      isOpen={isOpen}
      onClick={toggle}
    />
  );
}

function FullscreenToggle() {
  const t = useT();
  const { isSupported, isFullscreen, toggle } = useFullscreen();
  if (!isSupported) return null;
  const label = t(isFullscreen ? 'shell.exitFullscreen' : 'shell.fullscreen');
  return <ToolButton icon={isFullscreen ? 'fullscreenExit' : 'fullscreen'} label={label} onClick={toggle} />;
}

function ThemeToggle() {
  const t = useT();
  const isDark = useShownTheme() === 'dark';
  return (
    <ToolButton
      icon={isDark ? 'sun' : 'moon'}
      label={t(isDark ? 'shell.lightTheme' : 'shell.darkTheme')}
      onClick={() => setPreference('theme', isDark ? 'light' : 'dark')}
    />
  );
}

import { useT } from '../../platform/i18n.ts';
import { Icon, type IconName } from '../../platform/icons.tsx';
import { setPreference, usePreferences } from '../../platform/preferences.ts';
import { Breadcrumb } from './breadcrumb.tsx';
import { LanguageMenu } from './language-menu.tsx';
import styles from './top-bar.module.css';
import type { Frame } from './use-frame.ts';
import { useFullscreen } from './use-fullscreen.ts';
import { UserMenu } from './user-menu.tsx';

/** Where the reader is at the left, the reader's own things at the right. */
export function TopBar({ frame }: { frame: Frame }) {
  return (
    <header className={styles.bar}>
      <SidebarToggle frame={frame} />
      <Breadcrumb />
      <div className={styles.tools}>
        <FullscreenToggle />
        <LanguageMenu />
        <ThemeToggle />
        <UserMenu />
      </div>
    </header>
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
  return (
    <span className={styles.wideOnly}>
      <ToolButton icon={isFullscreen ? 'fullscreenExit' : 'fullscreen'} label={label} onClick={toggle} />
    </span>
  );
}

function ThemeToggle() {
  const t = useT();
  const isDark = usePreferences((preferences) => preferences.theme === 'dark');
  return (
    <ToolButton
      icon={isDark ? 'sun' : 'moon'}
      label={t(isDark ? 'shell.lightTheme' : 'shell.darkTheme')}
      onClick={() => setPreference('theme', isDark ? 'light' : 'dark')}
    />
  );
}

interface ToolButtonProps {
  icon: IconName;
  label: string;
  /** For a button that opens something: whether it is open. */
  isOpen?: boolean;
  onClick: () => void;
}

function ToolButton({ icon, label, isOpen, onClick }: ToolButtonProps) {
  return (
    <button
      type="button"
      className={styles.tool}
      aria-label={label}
      title={label}
      aria-expanded={isOpen}
      onClick={onClick}
    >
      <Icon name={icon} size={20} />
    </button>
  );
}

import { Button } from '@hengfu/ui/controls/button.tsx';
import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { Switch } from '@hengfu/ui/controls/switch.tsx';
import { ToolButton } from '@hengfu/ui/controls/tool-button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { SideDialog } from '@hengfu/ui/overlays/side-dialog.tsx';
import {
  resetSettings,
  setPreference,
  usePreferences,
  watermarkLength,
} from '@hengfu/ui/theme/preferences.ts';
import { type ReactNode, useId } from 'react';
import { boot } from '../../platform/boot.ts';
import { ChoiceGroup } from './choice-group.tsx';
import { ColorChoice } from './color-choice.tsx';
import { Hint, SettingsGroup } from './settings-group.tsx';
import styles from './settings-panel.module.css';

/** The side panel with the console's settings for this browser. Each choice applies immediately. */
export function SettingsPanel({ onClose }: { onClose: () => void }) {
  const t = useT();
  return (
    <SideDialog side="end" label={t('shell.settings.title')} onClose={onClose}>
      <div className={styles.content}>
        <div className={styles.head}>
          <h2>{t('shell.settings.title')}</h2>
          <ToolButton icon="close" label={t('ui.close')} onClick={onClose} />
        </div>
        <ThemeChoice />
        <ColorChoice />
        <LayoutChoice />
        <PageSwitches />
        <Button onClick={resetSettings}>{t('shell.settings.reset')}</Button>
        <Hint>{t('shell.settings.kept')}</Hint>
        {boot && <Hint>{t('shell.settings.version', { version: boot.version })}</Hint>}
      </div>
    </SideDialog>
  );
}

function ThemeChoice() {
  const t = useT();
  const theme = usePreferences((preferences) => preferences.theme);
  return (
    <ChoiceGroup
      title={t('shell.settings.theme')}
      value={theme}
      choices={[
        { value: 'light', label: t('shell.settings.light'), picture: <Icon name="sun" size={22} /> },
        { value: 'dark', label: t('shell.settings.dark'), picture: <Icon name="moon" size={22} /> },
        { value: 'system', label: t('shell.settings.system'), picture: <Icon name="device" size={22} /> },
      ]}
      onChange={(value) => setPreference('theme', value)}
    />
  );
}

function LayoutChoice() {
  const t = useT();
  const layout = usePreferences((preferences) => preferences.layout);
  return (
    <ChoiceGroup
      title={t('shell.settings.layout')}
      value={layout}
      choices={(['left', 'top', 'mix'] as const).map((value) => ({
        value,
        label: t(`shell.settings.${value}`),
        picture: <span className={styles.sketch} data-layout={value} />,
      }))}
      onChange={(value) => setPreference('layout', value)}
      hint={t('shell.settings.wide')}
    />
  );
}

function PageSwitches() {
  const t = useT();
  const { watermark, watermarkContent } = usePreferences();
  const id = useId();
  return (
    <SettingsGroup title={t('shell.settings.page')}>
      <PageSwitch name="tagsView" hint={t('shell.settings.tagsHint')}>
        {t('shell.settings.tagsView')}
      </PageSwitch>
      <PageSwitch name="fixedHeader">{t('shell.settings.fixedHeader')}</PageSwitch>
      <PageSwitch name="sidebarLogo">{t('shell.settings.sidebarLogo')}</PageSwitch>
      <PageSwitch name="watermark">{t('shell.settings.watermark')}</PageSwitch>
      {watermark && (
        <div className={styles.field}>
          <label htmlFor={id}>{t('shell.settings.watermarkContent')}</label>
          <input
            id={id}
            value={watermarkContent}
            maxLength={watermarkLength}
            aria-describedby={`${id}-hint`}
            onChange={({ target }) => setPreference('watermarkContent', target.value)}
          />
          <Hint id={`${id}-hint`}>{t('shell.settings.watermarkHint')}</Hint>
        </div>
      )}
    </SettingsGroup>
  );
}

interface PageSwitchProps {
  name: 'tagsView' | 'fixedHeader' | 'sidebarLogo' | 'watermark';
  hint?: string;
  children: ReactNode;
}

function PageSwitch({ name, hint, children }: PageSwitchProps) {
  const isOn = usePreferences((preferences) => preferences[name]);
  return (
    <Switch checked={isOn} onChange={({ target }) => setPreference(name, target.checked)}>
      {children}
      {hint && <Hint>{hint}</Hint>}
    </Switch>
  );
}

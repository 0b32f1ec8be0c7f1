import { theme as antdThemes, ConfigProvider } from 'antd';
import { type ReactNode, use, useMemo } from 'react';
import { antdLocale } from './antd-locale.ts';
import { cspNonce } from './boot.ts';
import { useLanguage } from './i18n.ts';
import { usePreferences } from './preferences.ts';
import { antdTheme } from './theme.ts';

const csp = cspNonce === undefined ? {} : { nonce: cspNonce };

/**
 * Where antd's dialogs, drawers and lists open. Straight in the body antd would lock its scrolling by a style element
 * without the nonce, which the content security policy refuses.
 */
const overlays = document.body.appendChild(document.createElement('div'));

/**
 * Gives antd the product's theme, language, control size and style nonce; suspends while a language's words load. Not
 * around the whole console: a page that uses antd wraps itself in it, so that the others don't wait for antd's code.
 */
export function AntdProvider({ children }: { children: ReactNode }) {
  const theme = usePreferences((preferences) => preferences.theme);
  const themeColor = usePreferences((preferences) => preferences.themeColor);
  const size = usePreferences((preferences) => preferences.size);
  const locale = use(antdLocale(useLanguage()));
  const config = useMemo(() => {
    const algorithm = theme === 'dark' ? antdThemes.darkAlgorithm : antdThemes.defaultAlgorithm;
    return { ...antdTheme(theme, themeColor), algorithm };
  }, [theme, themeColor]);
  return (
    <ConfigProvider
      csp={csp}
      theme={config}
      locale={locale}
      getPopupContainer={() => overlays}
      componentSize={size === 'default' ? 'middle' : size}
      // Chinese button labels keep their own spacing, so that tests and screen readers find the words.
      button={{ autoInsertSpace: false }}
    >
      {children}
    </ConfigProvider>
  );
}

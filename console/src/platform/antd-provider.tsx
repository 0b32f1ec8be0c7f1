import { theme as antdThemes, ConfigProvider } from 'antd';
import { type ReactNode, use, useMemo } from 'react';
import { antdLocale } from './antd-locale.ts';
import { cspNonce } from './boot.ts';
import { useLanguage } from './i18n.ts';
import { usePreferences } from './preferences.ts';
import { antdTheme } from './theme.ts';

const csp = cspNonce === undefined ? {} : { nonce: cspNonce };

/**
 * Container of antd's dialogs, drawers and lists. Directly in the body, antd would lock scrolling with a
 * style element without the nonce, which the content security policy blocks.
 */
const overlays = document.body.appendChild(document.createElement('div'));

/**
 * Gives antd the product's theme, language, control size and style nonce. Suspends while a language loads.
 * Pages that use antd wrap themselves in it; around the whole console, every page would wait for antd's code.
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
      // No extra space inside Chinese button labels, so that tests and screen readers find the text.
      button={{ autoInsertSpace: false }}
    >
      {children}
    </ConfigProvider>
  );
}

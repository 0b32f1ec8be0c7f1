import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Page } from '@hengfu/ui/page/page.tsx';
import { PartLinks } from '@hengfu/ui/page/part-links.tsx';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useUser } from '../../platform/session.ts';
import { parts } from './parts.ts';

/** The settings and the state of the service, in parts with a menu of their own. */
export function ServicePage(): ReactElement {
  const t = useT();
  const { perms } = useUser();
  const { pathname } = useLocation();
  const isHidden = parts.some(({ to, perm }) => to === pathname && !perms.includes(perm));
  return (
    <Page title={t('officeService.title')}>
      <PartLinks label={t('officeService.parts')}>
        {parts
          .filter(({ perm }) => perms.includes(perm))
          .map(({ to, label }) => (
            <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
              {t(label)}
            </Link>
          ))}
      </PartLinks>
      {isHidden ? <Notice tone="bad">{t('office.noAccess')}</Notice> : <Outlet />}
    </Page>
  );
}

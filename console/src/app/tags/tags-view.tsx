import { Icon, type IconName } from '@hengfu/ui/controls/icon.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { OpenMenu } from '@hengfu/ui/overlays/menu.tsx';
import { Link } from '@tanstack/react-router';
import { type MouseEvent, useRef, useState } from 'react';
import { useUser } from '../../platform/session-store.ts';
import { menu, type PagePath } from '../menu.ts';
import { distinctName, isPermitted, placeOf } from '../menu-rules.ts';
import { usePlace } from '../shell/use-place.ts';
import { actionsOn, pinnedPath, type Tag, type TagAction } from './tag-rules.ts';
import { useTags } from './tags.ts';
import styles from './tags-view.module.css';
import { useStrip } from './use-strip.ts';
import { useTagActions } from './use-tag-actions.ts';

const icons: Readonly<Record<TagAction, IconName>> = {
  refresh: 'refresh',
  close: 'close',
  closeOthers: 'closeOthers',
  closeLeft: 'closeLeft',
  closeRight: 'closeRight',
  closeAll: 'closeAll',
};

/** The strip of open pages under the top bar. */
export function TagsView() {
  const t = useT();
  const tags = useTags((state) => state.tags);
  const user = useUser();
  const currentPath = usePlace()?.page.path;
  const act = useTagActions();
  const strip = useStrip(currentPath);
  const opener = useRef<HTMLAnchorElement>(null);
  const [chosen, setChosen] = useState<{ path: PagePath; at: DOMRect }>();
  // The pinned dashboard is not everybody's.
  const mayOpen = (path: PagePath) => {
    const page = placeOf(menu, path)?.page;
    return page !== undefined && isPermitted(page, user);
  };
  const openMenu = (path: PagePath) => (event: MouseEvent<HTMLAnchorElement>) => {
    event.preventDefault();
    const link = event.currentTarget;
    opener.current = link;
    // A menu opened by keyboard appears under its tag.
    const isByPointer = event.clientX > 0;
    const at = isByPointer ? new DOMRect(event.clientX, event.clientY) : link.getBoundingClientRect();
    whenReleased(event, () => setChosen({ path, at }));
  };
  return (
    <nav className={styles.tags} aria-label={t('shell.tags.label')}>
      <ul ref={strip}>
        {tags
          .filter(({ path }) => mayOpen(path))
          .map((tag) => (
            <li key={tag.path} data-active={tag.path === currentPath}>
              <TagLink tag={tag} close={() => act(tag.path, 'close')} onContextMenu={openMenu(tag.path)} />
            </li>
          ))}
      </ul>
      {chosen && (
        <OpenMenu
          // A second tag's menu opens at its own place.
          key={chosen.path}
          label={t('shell.tags.menu')}
          anchor={{ getBoundingClientRect: () => chosen.at }}
          opener={opener}
          align="start"
          onClose={() => setChosen(undefined)}
          entries={actionsOn(tags, chosen.path).map((action) => ({
            label: t(`shell.tags.${action}`),
            icon: icons[action],
            onChosen: () => act(chosen.path, action),
          }))}
        />
      )}
    </nav>
  );
}

interface TagLinkProps {
  tag: Tag;
  close: () => void;
  onContextMenu: (event: MouseEvent<HTMLAnchorElement>) => void;
}

function TagLink({ tag: { path, search }, close, onContextMenu }: TagLinkProps) {
  const t = useT();
  const place = placeOf(menu, path);
  if (!place) return null;
  const isPinned = path === pinnedPath;
  const title = t(place.page.title);
  const name = distinctName(menu, place, t);
  return (
    <>
      <Link
        to={path}
        search={search}
        activeOptions={{ includeSearch: false }}
        title={place.group.title === place.page.title ? undefined : `${t(place.group.title)} / ${title}`}
        onContextMenu={onContextMenu}
        onAuxClick={(event) => {
          if (event.button !== 1) return;
          event.preventDefault();
          if (!isPinned) close();
        }}
        onKeyDown={({ key }) => {
          if (key === 'Delete' && !isPinned) close();
        }}
      >
        <Icon name={place.group.icon} size={15} />
        {name}
      </Link>
      {!isPinned && (
        <button type="button" aria-label={t('shell.tags.closePage', { page: name })} onClick={close}>
          <Icon name="close" size={13} />
        </button>
      )}
    </>
  );
}

/** Runs `then` after the mouse button is released: the release would close a box opened before it. */
function whenReleased({ buttons }: MouseEvent, then: () => void): void {
  if (buttons === 0) requestAnimationFrame(then);
  else addEventListener('pointerup', () => requestAnimationFrame(then), { once: true });
}

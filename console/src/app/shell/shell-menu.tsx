import { GroupSidebar, Sidebar } from './sidebar.tsx';
import { SidebarDrawer } from './sidebar-drawer.tsx';
import type { Frame } from './use-frame.ts';

/** The menu beside the page. The layout `top` has none. */
export function ShellMenu({ frame }: { frame: Frame }) {
  const { layout, isOpen, groups, activeGroup, sidebar } = frame;
  if (frame.isMobile) return <SidebarDrawer frame={frame} />;
  if (layout === 'left') return <Sidebar groups={groups} isOpen={isOpen} />;
  if (sidebar === 'none' || !activeGroup) return null;
  return <GroupSidebar group={activeGroup} isOpen={isOpen} />;
}

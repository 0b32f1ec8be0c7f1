/** Everything that opens above the page, in one chunk: no page needs it before its first row. */
export { ComboboxPanel } from './combobox-panel.tsx';
export { DateBox } from './date-box.tsx';
export { DetailDrawerPanel } from './detail-drawer-panel.tsx';
export { DialogPanel } from './dialog-panel.tsx';
export { HintBubble } from './hint-bubble.tsx';
export { LinkBox } from './link-box.tsx';
export { MenuPanel } from './menu-panel.tsx';
export { PopoverBox } from './popover-box.tsx';
export { Sheet } from './sheet.tsx';
export { SideDialogPanel } from './side-dialog-panel.tsx';

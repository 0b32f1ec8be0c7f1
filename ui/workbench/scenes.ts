import type { ReactElement } from 'react';
import { ButtonScene } from './scenes/button-scene.tsx';
import { CalendarScene } from './scenes/calendar-scene.tsx';
import { CheckboxScene } from './scenes/checkbox-scene.tsx';
import { ComboboxScene } from './scenes/combobox-scene.tsx';
import { DateFieldScene } from './scenes/date-field-scene.tsx';
import { DialogScene } from './scenes/dialog-scene.tsx';
import { DrawerScene } from './scenes/drawer-scene.tsx';
import { FeedbackScene } from './scenes/feedback-scene.tsx';
import { FormScene } from './scenes/form-scene.tsx';
import { HintScene } from './scenes/hint-scene.tsx';
import { ListScene } from './scenes/list-scene.tsx';
import { MenuScene } from './scenes/menu-scene.tsx';
import { PageScene } from './scenes/page-scene.tsx';
import { PopoverScene } from './scenes/popover-scene.tsx';
import { ProgressScene } from './scenes/progress-scene.tsx';
import { RadioScene } from './scenes/radio-scene.tsx';
import { SavedFormScene } from './scenes/saved-form-scene.tsx';
import { SelectScene } from './scenes/select-scene.tsx';
import { SwitchScene } from './scenes/switch-scene.tsx';

/** One control, or one group of parts, in its states. */
export interface Scene {
  /** Part of the address: `#menu`. */
  name: string;
  Content: () => ReactElement;
}

/** The scenes of the workbench, each also shown by a test. */
export const scenes: readonly Scene[] = [
  { name: 'buttons', Content: ButtonScene },
  { name: 'checkbox', Content: CheckboxScene },
  { name: 'radio', Content: RadioScene },
  { name: 'switch', Content: SwitchScene },
  { name: 'select', Content: SelectScene },
  { name: 'progress', Content: ProgressScene },
  { name: 'menu', Content: MenuScene },
  { name: 'popover', Content: PopoverScene },
  { name: 'hint', Content: HintScene },
  { name: 'dialog', Content: DialogScene },
  { name: 'drawer', Content: DrawerScene },
  { name: 'combobox', Content: ComboboxScene },
  { name: 'date-field', Content: DateFieldScene },
  { name: 'calendar', Content: CalendarScene },
  { name: 'form', Content: FormScene },
  { name: 'saved-form', Content: SavedFormScene },
  { name: 'feedback', Content: FeedbackScene },
  { name: 'list', Content: ListScene },
  { name: 'page', Content: PageScene },
];

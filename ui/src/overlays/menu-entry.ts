import type { ReactElement } from 'react';
import type { IconName } from '../controls/icon.tsx';

interface Labeled {
  label: string;
  icon?: IconName;
}

/** An entry that runs something. */
interface ActionEntry extends Labeled {
  onChosen: () => void;
}

/** An entry that leads to a page; `link` is the link element without content. */
interface LinkEntry extends Labeled {
  link: ReactElement;
}

/** One of several values, of which one is chosen. `lang` is the label's language. */
interface ChoiceEntry {
  label: string;
  lang?: string;
  isChosen: boolean;
  onChosen: () => void;
}

/** An entry of a menu. All entries of a menu with choices are choices. */
export type MenuEntry = ActionEntry | LinkEntry | ChoiceEntry;

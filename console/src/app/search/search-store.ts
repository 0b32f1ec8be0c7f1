import { create } from 'zustand';

/** What stands above the page: the palette, or the help for the keyboard. */
type Shown = 'palette' | 'help' | undefined;

const useStore = create<{ shown: Shown }>(() => ({ shown: undefined }));

export function show(shown: Shown): void {
  useStore.setState({ shown });
}

export function useShown(): Shown {
  return useStore(({ shown }) => shown);
}

import { create } from 'zustand';

/** The overlay above the page: the palette, or the keyboard help. */
type Shown = 'palette' | 'help' | undefined;

const useStore = create<{ shown: Shown }>(() => ({ shown: undefined }));

export function show(shown: Shown): void {
  useStore.setState({ shown });
}

export function useShown(): Shown {
  return useStore(({ shown }) => shown);
}

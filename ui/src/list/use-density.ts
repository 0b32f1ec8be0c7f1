import { useMemo, useState } from 'react';
import { readOwnStored, writeOwnStored } from '../browser/stored.ts';

/** The space around a list's rows; the first one follows the size of the interface. */
export const densities = ['interface', 'comfortable', 'compact'] as const;
export type Density = (typeof densities)[number];

/** The user's density of a list's rows, stored in this browser. */
export interface DensityChoice {
  chosen: Density;
  choose(density: Density): void;
}

export function useDensity(listName: string): DensityChoice {
  const key = `density.${listName}`;
  const [chosen, setChosen] = useState(() => {
    const stored = readOwnStored(key);
    return densities.find((density) => density === stored) ?? densities[0];
  });
  return useMemo(
    () => ({
      chosen,
      choose: (density) => {
        writeOwnStored(key, density === densities[0] ? undefined : density);
        setChosen(density);
      },
    }),
    [key, chosen],
  );
}
